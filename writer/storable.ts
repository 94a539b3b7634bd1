/** A text that the database can keep: without U+0000, and without halves of a character. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
