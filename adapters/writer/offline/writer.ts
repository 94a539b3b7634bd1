import { CONTENT_LENGTH, LINE_LENGTH } from '../../../domain/pipeline/writer.ts';
import type {
  Brief,
  Draft,
  Extraction,
  Judgement,
  Plan,
  Writer,
  Written,
} from '../../../domain/pipeline/writer.ts';
import type { Blueprint } from '../../../domain/content-types/blueprint.ts';
import { SHORTEST } from '../../../domain/pipeline/results.ts';
import { makeBlocks } from './blocks.ts';
import { sentenceOf, sentences, shorten, telling, words } from './text.ts';

/** Maximum facts taken from a source. */
const FACTS = 24;

const NOTICE =
  '> This is a draft made without a language model, from the topic, its keywords and its source. It has the form of the article; the words are for a person to write.';

const plain = <T>(value: T): Written<T> => ({ value, answer: null, inputTokens: null, outputTokens: null });

/**
 * The writer without a model or network. The same brief gives the same article, with all blocks that its format
 * requires, and the article says how it was made (docs/spec/rulings.md, 10).
 */
export const offlineWriter: Writer = {
  name: 'offline',
  classify: async (brief) => plain(judge(brief)),
  extract: async (brief) => plain(pickFacts(brief)),
  plan: async (brief) => plain(outline(brief)),
  generate: async (brief) => plain(write(brief)),
  improve: async (brief) => plain(complete(brief)),
};

export type OfflineStage = Exclude<keyof Writer, 'name'>;

/** A stage as a job. It makes no calls, so there is nothing to abort or share. */
export const writeOffline = ({ stage, brief }: { readonly stage: OfflineStage; readonly brief: Brief }) =>
  offlineWriter[stage](brief, { siteId: '', signal: new AbortController().signal });

/** A title of three words is enough of a topic; a shorter one needs keywords or a source. */
function judge({ title, keywords, source }: Brief): Judgement {
  const count = words(title).length;
  const score = Math.min(100, count * 20 + keywords.length * 10 + (source === null ? 0 : 30));
  const reason =
    score >= 50
      ? 'The topic says what it is about.'
      : 'The title is too short to say what the article is about.';
  return { score, reason };
}

/** The most relevant sentences of the source, in their order. */
function pickFacts({ title, keywords, source, locale }: Brief): Extraction {
  if (source === null) return { facts: keywords.map((keyword) => sentenceOf(keyword)) };
  const sought = new Set(telling([title, ...keywords].join(' ')));
  const ranked = sentences(source, locale)
    .map((sentence, index) => ({
      sentence,
      index,
      hits: telling(sentence).filter((word) => sought.has(word)).length,
    }))
    .sort((left, right) => right.hits - left.hits || left.index - right.index)
    .slice(0, FACTS)
    .sort((left, right) => left.index - right.index);
  return { facts: ranked.map(({ sentence }) => sentence) };
}

/** The sections of the format, with the facts distributed among them. */
function outline({ source, blueprint, title, keywords }: Brief): Plan {
  const facts = (source ?? '').split('\n').filter((fact) => fact !== '');
  const sections = blueprint.sections.length > 0 ? blueprint.sections : [theOnlySection(title)];
  const share = Math.ceil(facts.length / Math.max(1, sections.length));
  return {
    sections: sections.map(({ heading, guidance, min_words: minWords }, index) => ({
      heading,
      points: [
        ...facts.slice(index * share, (index + 1) * share),
        sentenceOf(guidance),
        sentenceOf(`What this means for “${title}”`),
        ...(keywords.length > 0 ? [sentenceOf(`To be covered: ${keywords.join(', ')}`)] : []),
      ].map((point) => shorten(point, LINE_LENGTH)),
      minWords: minWords ?? null,
    })),
  };
}

/** Of a format that has none. */
const theOnlySection = (title: string): Blueprint['sections'][number] => ({
  heading: title,
  guidance: `What a reader wants to know about “${title}”`,
});

/** Words of a section if the format does not say. */
const SECTION_WORDS = 60;

function write(brief: Brief): Draft {
  const plan = brief.outline ?? outline(brief);
  const { title, keywords } = brief;
  const room = CONTENT_LENGTH / plan.sections.length;
  const asked = plan.sections.reduce((sum, { minWords }) => sum + (minWords ?? 0), 0);
  const fewest =
    asked === 0 ? Math.max(SECTION_WORDS, Math.ceil(SHORTEST / plan.sections.length)) : SECTION_WORDS;
  const body = plan.sections.map(
    ({ heading, points, minWords }) =>
      `## ${heading}\n\n${fill(brief, heading, points, asked === 0 ? fewest : (minWords ?? fewest), room)}`,
  );
  const summary = `${sentenceOf(title)} ${plan.sections.map(({ heading }) => heading).join(', ')}.`;
  return {
    content: shorten([NOTICE, ...body].join('\n\n'), CONTENT_LENGTH),
    excerpt: shorten(summary, 300),
    seo_title: shorten(title, 60),
    seo_description: shorten(summary, 155),
    seo_keywords: [...(keywords.length > 0 ? keywords : telling(title))].slice(0, 20),
    ...makeBlocks(brief, plan),
  };
}

/** The points of a section, followed by questions until it has enough words, or its characters are used up. */
function fill(
  { title, keywords }: Brief,
  heading: string,
  points: readonly string[],
  minWords: number,
  room: number,
): string {
  const paragraphs = [points.map(sentenceOf).join(' ')];
  const subjects = keywords.length > 0 ? keywords : [title];
  let length = paragraphs[0]?.length ?? 0;
  for (
    let count = words(paragraphs.join(' ')).length, turn = 0;
    count < minWords && length < room;
    turn += 1
  ) {
    const subject = subjects[turn % subjects.length] ?? title;
    const [opening, closing] = asides[turn % asides.length] as readonly [string, string];
    const paragraph = `${opening} ${subject}: ${heading.toLowerCase()}. ${closing}`;
    paragraphs.push(paragraph);
    length += paragraph.length;
    count += words(paragraph).length;
  }
  return paragraphs.join('\n\n');
}

const asides = [
  [
    'Say in your own words what the reader has to know about',
    'Name what it is, whom it concerns, and since when.',
  ],
  [
    'Give an example of',
    'One from your own work is better than one from a book, and a figure is better than an adjective.',
  ],
  [
    'Tell what people get wrong about',
    'Say what they think, what is true instead, and how they can check it themselves.',
  ],
  [
    'Say what to do next about',
    'A reader who agrees wants to know the first step, what it costs, and how long it takes.',
  ],
] as const;

/** Adds missing blocks and texts; existing ones stay unchanged. */
function complete(brief: Brief): Draft {
  const made = write(brief);
  const { written } = brief;
  const kept = Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== null && value !== '' && !isEmptyList(value)),
  );
  return { ...made, ...kept };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
