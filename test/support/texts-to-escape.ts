/** Texts that would be misread if a list of values were written out as one text without escaping. */
export const textsToEscape: readonly string[] = [
  "'",
  '"',
  '{}',
  ',',
  '\\',
  'NULL',
  'null',
  '',
  ' ',
  '\n',
  '{"a":1}',
  '{"a":[1,"\\""]}',
  "'; drop table articles; --",
  "'; drop table held; --",
  '日本',
];
