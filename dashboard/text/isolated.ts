/** A person's text in a sentence of the interface: its direction does not change that of the sentence. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
