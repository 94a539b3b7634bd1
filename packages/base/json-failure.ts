/**
 * Describes where JSON.parse failed, for example `unexpected text at character 17`. The parser's message quotes the
 * text; this one repeats at most one character, and only if the parser gives no position.
 */
export function whereJsonFails(error: unknown): string {
  const words = error instanceof Error ? error.message : '';
  if (words.startsWith('Unexpected end')) return 'unexpected end';
  // Matched at the very end only, because the quoted text may contain anything.
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(words)?.[1];
  if (position !== undefined) return `unexpected text at character ${position}`;
  const character = /^Unexpected token '(.+?)', /su.exec(words)?.[1];
  return character === undefined
    ? 'it cannot be parsed'
    : `unexpected character ${JSON.stringify(character.toWellFormed())}`;
}
