/** Texts that mean something where a list of values is written out as one text. */
export const awkwardTexts: readonly string[] = [
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
