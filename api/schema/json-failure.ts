/**
 * Where JSON.parse stumbled, for people: such as `it goes wrong at character 17`. Nothing is repeated of the text, parts
 * of which the parser quotes, but for one character where it gives no position.
 */
export function whereJsonFails(error: unknown): string {
  const words = error instanceof Error ? error.message : '';
  if (words.startsWith('Unexpected end')) return 'it ends too early';
  // At the very end alone: what is quoted may say anything.
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(words)?.[1];
  if (position !== undefined) return `it goes wrong at character ${position}`;
  const character = /^Unexpected token '(.+?)', /su.exec(words)?.[1];
  return character === undefined
    ? 'it cannot be parsed'
    : `it goes wrong at the character ${JSON.stringify(character.toWellFormed())}`;
}
