/** A read that has not run yet. */
export interface UnreadResult<Result> {
  readonly read: () => Promise<Result>;
  /** How to read only changes; null if that is not possible. */
  readonly conditional: ConditionalRead<Result> | null;
}

/** A read that compares its result with an earlier one. */
interface ConditionalRead<Result> {
  /** Identifies the read. */
  readonly key: string;
  /**
   * Reads unless the rows have the known signature, which the database changes whenever it changes one of them.
   *
   * @param known the signature of an earlier result; null for none
   * @returns null if the rows have the known signature
   */
  readonly readIfChanged: (known: string | null) => Promise<Signed<Result> | null>;
}

/** A result with the signature of the rows that it was made from. */
interface Signed<Result> {
  readonly signature: string;
  readonly result: Result;
}
