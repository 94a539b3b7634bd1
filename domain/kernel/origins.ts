/** Who wrote the text of an article (docs/spec/rulings.md, 25). */
export const origins = ['person', 'assisted', 'generated'] as const;

export type Origin = (typeof origins)[number];

/** Whether a Site says of articles that the pipeline took part. */
export const aiDisclosures = ['none', 'mark'] as const;

export type AiDisclosure = (typeof aiDisclosures)[number];
