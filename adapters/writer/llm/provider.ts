/** A question to a model, before it is put into the format of a provider. */
export interface Question {
  readonly model: string;
  readonly system: string;
  /** The prompt, and then by turns what the model answered and what was said to that. */
  readonly turns: readonly string[];
  readonly maxTokens: number;
  /** The name of the form that the answer has to have, and its JSON Schema, which is also in `system`. */
  readonly form: string;
  readonly schema: object;
}

/** What of a request the server knows. Self-hosted and older servers do not know everything. */
export interface Known {
  readonly limit: 'max_completion_tokens' | 'max_tokens';
  /** Whether it takes the schema of the answer. */
  readonly schema: boolean;
  /** Whether it tells how many tokens a streamed answer took. */
  readonly usage: boolean;
}

export const everything: Known = { limit: 'max_completion_tokens', schema: true, usage: true };

/** What has been read of an answer. */
export interface Reading {
  text: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** How it ended; `open`: it has not. */
  end: 'open' | 'complete' | 'cut' | 'refused';
}

/** How a provider is asked, and what its answers are. */
export interface Provider {
  /** Of the vendor, with the segment of the version; null if there is none. */
  readonly vendor: string | null;
  readonly path: (model: string) => string;
  readonly headers: (apiKey: string) => Readonly<Record<string, string>>;
  readonly body: (question: Question, known: Known) => object;
  /**
   * Adds an event of a streamed answer to what has been read. The answer of a server that does not stream is one event.
   *
   * @throws ZodError if it is nothing that the provider sends
   */
  readonly read: (event: unknown, reading: Reading) => void;
}

/** Every second turn is the model's. */
export const isModels = (index: number): boolean => index % 2 === 1;
