/** As the API reads them. */
const placeholder = /\{\{\s*([a-zA-Z_]\w*)\s*\}\}/g;

/** The names in a template, without braces and repetitions. */
export const placeholdersOf = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map(([, name = '']) => name)),
];

/** With braces, as they stand in a template. */
export const written = (name: string): string => `{{${name}}}`;
