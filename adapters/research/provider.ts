/** A search, as a provider takes it. */
export interface SearchRequest {
  readonly method: 'GET' | 'POST';
  /** After the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** How a provider is asked, and what its answers are. */
export interface ResearchProvider {
  /** Its own base URL; null if only the operator knows it. */
  readonly vendor: string | null;
  readonly request: (question: string, apiKey: string) => SearchRequest;
  /** @returns the addresses of an answer, best first @throws ZodError if it is nothing that the provider sends */
  readonly read: (answer: unknown) => readonly string[];
}

/** The results of a question that are looked at. */
export const RESULTS = 10;
