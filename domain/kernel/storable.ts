/** JSON that the database can store, whatever strangers wrote: without U+0000 and lone surrogates. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? storableText(member) : member));

/** PostgreSQL has no text with U+0000, and none with half of another character. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
