import { CONTENT_LENGTH, LINE_LENGTH, WriterError } from '../../../domain/pipeline/writer.ts';
import type {
  Brief,
  Draft,
  Extraction,
  Judgement,
  Plan,
  Revision,
  Writer,
  Written,
} from '../../../domain/pipeline/writer.ts';
import { sentences } from '../../../domain/pipeline/sentences.ts';
import { paragraphs, shorten, telling, words } from './text.ts';

/** Maximum facts taken from a source. */
const FACTS = 24;

const plain = <T>(value: T): Written<T> => ({ value, answer: null, inputTokens: null, outputTokens: null });

/**
 * The writer without a model or network: a short draft of what topic, notes and sources say, and nothing else
 * (docs/spec/rulings.md, 25). The same brief gives the same article.
 */
export const offlineWriter: Writer = {
  name: 'offline',
  modelOf: () => null,
  classify: async (brief) => plain(judge(brief)),
  extract: async (brief) => plain(pickFacts(brief)),
  plan: async (brief) => plain(outline(brief)),
  generate: async (brief) => plain(write(requireMaterial(brief))),
  improve: async (brief) => plain(complete(brief)),
};

export type OfflineStage = Exclude<keyof Writer, 'name' | 'modelOf' | 'questions' | 'claims'>;

/** A stage as a job. It makes no calls, so there is nothing to abort or share. */
export const writeOffline = ({ stage, brief }: { readonly stage: OfflineStage; readonly brief: Brief }) =>
  offlineWriter[stage](brief, { siteId: '', signal: new AbortController().signal });

/** @throws WriterError final if there is nothing to make a text of */
export function requireMaterial(brief: Brief): Brief {
  if (paragraphs(brief.notes).length > 0 || paragraphs(brief.source).length > 0) return brief;
  throw new WriterError(
    'the topic has neither notes nor a source with something to say. Without a language model, add notes or source_urls.',
    { final: true, code: 'NOTHING_TO_SAY' },
  );
}

/** A title of three words is enough of a topic; a shorter one needs keywords, notes or a source. */
function judge({ title, keywords, notes, source }: Brief): Judgement {
  const material = source !== null || paragraphs(notes).length > 0;
  const score = Math.min(100, words(title).length * 20 + keywords.length * 10 + (material ? 30 : 0));
  const reason =
    score >= 50
      ? 'The topic says what it is about.'
      : 'The title is too short to say what the article is about.';
  return { score, reason };
}

/** The most relevant sentences of the sources, in their order. */
function pickFacts({ title, keywords, sources, locale }: Brief): Extraction {
  const sought = new Set(telling([title, ...keywords].join(' ')));
  const ranked = sources
    .flatMap(({ n, text }) => sentences(text ?? '', locale).map((sentence) => ({ n, sentence })))
    .map(({ n, sentence }, index) => ({
      fact: `${sentence} [^${n}]`,
      index,
      hits: telling(sentence).filter((word) => sought.has(word)).length,
    }))
    .sort((left, right) => right.hits - left.hits || left.index - right.index)
    .slice(0, FACTS)
    .sort((left, right) => left.index - right.index);
  return { facts: ranked.map(({ fact }) => fact) };
}

/** One section with all that is known. It does not use the headings of the format, because there is no text for them. */
const outline = ({ title, notes, source }: Brief): Plan => ({
  sections: [
    {
      heading: shorten(title, 300) || '…',
      points: [...paragraphs(notes), ...paragraphs(source)]
        .slice(0, 50)
        .map((point) => shorten(point, LINE_LENGTH)),
      minWords: null,
    },
  ],
});

/** The notes as they are, and the facts of the sources as a list. */
function write({ title, keywords, notes, source }: Brief): Draft {
  const facts = paragraphs(source).map((fact) => `- ${fact}`);
  const parts = [...paragraphs(notes), ...(facts.length === 0 ? [] : [facts.join('\n')])];
  const summary = paragraphs(notes)[0] ?? paragraphs(source)[0] ?? title;
  return {
    content: shorten(parts.join('\n\n') || title, CONTENT_LENGTH),
    excerpt: shorten(summary, 300),
    seo_title: shorten(title, 60),
    seo_description: shorten(summary, 155),
    seo_keywords: [...(keywords.length > 0 ? keywords : telling(title))].slice(0, 20),
    key_takeaways: null,
    faqs: null,
    howto_steps: null,
    comparison: null,
  };
}

/** Adds missing texts; existing ones stay unchanged. It proposes what it would write. */
function complete(brief: Brief): Revision {
  const kept = Object.entries(brief.written).filter(
    ([, value]) => value !== null && value !== '' && !isEmptyList(value),
  );
  const own = write(brief);
  const { excerpt, seo_title, seo_description } = own;
  const suggestions = { titles: [], tags: [], category: null, excerpt, seo_title, seo_description };
  return { ...own, ...Object.fromEntries(kept), suggestions };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
