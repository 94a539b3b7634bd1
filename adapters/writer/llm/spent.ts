import type { Spent } from '../../../domain/pipeline/writer.ts';

/** What several calls used; tokens that no provider told stay unknown. */
export const addUp = (parts: readonly Spent[]): Spent => ({
  answer:
    parts
      .map(({ answer }) => answer)
      .filter((answer) => answer !== null)
      .join('\n\n') || null,
  inputTokens: sum(parts.map(({ inputTokens }) => inputTokens)),
  outputTokens: sum(parts.map(({ outputTokens }) => outputTokens)),
});

const sum = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((total, one) => (one === null ? total : (total ?? 0) + one), null);
