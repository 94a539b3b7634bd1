import type { BlueprintWrite, ContentTypeDetail } from '../../../sdk/src/index.ts';

export const blocks = ['howto_steps', 'key_takeaways', 'comparison', 'faqs'] as const;
export type Block = (typeof blocks)[number];

export interface TypedSection {
  /** For React alone. */
  readonly id: number;
  readonly heading: string;
  readonly guidance: string;
  readonly min_words: number | '';
  readonly max_words: number | '';
}

/** The values of the fields. */
export interface TypedFormat {
  readonly name: string;
  readonly key: string;
  readonly is_active: boolean;
  readonly requires: readonly string[];
  readonly sections: readonly TypedSection[];
}

let lastId = 0;

export const newSection = (): TypedSection => ({
  id: (lastId += 1),
  heading: '',
  guidance: '',
  min_words: '',
  max_words: '',
});

export const emptyFormat: TypedFormat = { name: '', key: '', is_active: true, requires: [], sections: [] };

export const typedOf = ({ name, key, is_active, blueprint }: ContentTypeDetail): TypedFormat => ({
  name,
  key,
  is_active,
  requires: blueprint.requires,
  sections: blueprint.sections.map(({ heading, guidance, min_words: least, max_words: most }) => ({
    ...newSection(),
    heading,
    guidance,
    min_words: least ?? '',
    max_words: most ?? '',
  })),
});

/** A format of the platform as the beginning of an own one, which replaces it by having the same key. */
export const copyOf = (format: ContentTypeDetail): TypedFormat => ({ ...typedOf(format), is_active: true });

export const blueprintOf = ({ requires, sections }: TypedFormat): BlueprintWrite => ({
  requires: blocks.filter((block) => requires.includes(block)),
  sections: sections.map(({ heading, guidance, min_words: least, max_words: most }) => ({
    heading,
    guidance,
    ...(least !== '' && { min_words: least }),
    ...(most !== '' && { max_words: most }),
  })),
});

/** Whether both say the same. */
export const isSame = (one: TypedFormat, other: TypedFormat): boolean =>
  JSON.stringify([one.name, one.key, one.is_active, blueprintOf(one)]) ===
  JSON.stringify([other.name, other.key, other.is_active, blueprintOf(other)]);
