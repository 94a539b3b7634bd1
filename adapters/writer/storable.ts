/** Makes a text storable in PostgreSQL: without U+0000 and lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
