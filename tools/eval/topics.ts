import { readdirSync, readFileSync } from 'node:fs';

export const languages = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof languages)[number];

/** A page that a topic names, as it was recorded. */
export interface RecordedSource {
  readonly title: string;
  readonly date: string;
  readonly text: string;
}

export interface EvalTopic {
  readonly language: Language;
  /** The name of its file. */
  readonly name: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly notes: string | null;
  readonly sources: readonly RecordedSource[];
  /** The slug of the published article that is about the same. */
  readonly duplicateOf: string | null;
  /** A word that a source orders the model to write. */
  readonly injected: string | null;
  /** Two figures, each given by one of the sources. */
  readonly disputed: readonly string[] | null;
}

export interface OwnArticle {
  readonly title: string;
  readonly slug: string;
  readonly isPublished: boolean;
  readonly excerpt: string;
}

const read = (path: string): string => readFileSync(new URL(`topics/${path}`, import.meta.url), 'utf8');

export const topicsOf = (language: Language): readonly EvalTopic[] =>
  readdirSync(new URL(`topics/${language}`, import.meta.url))
    .filter((file) => /^\d\d-.+\.txt$/.test(file))
    .toSorted()
    .map((file) => parseTopic(language, file.replace('.txt', ''), read(`${language}/${file}`)));

/** The articles of a language's blog. */
export const ownArticlesOf = (language: Language): readonly OwnArticle[] =>
  parts(read(`${language}/published.txt`), '# ').map((part) => {
    const [title = '', place = '', ...excerpt] = part.split('\n');
    const [slug = '', draft] = place.split(' ');
    return { title, slug, isPublished: draft === undefined, excerpt: excerpt.join('\n').trim() };
  });

/** A title, lines of `name: value`, and the sources: each a title, a date and its text. */
function parseTopic(language: Language, name: string, text: string): EvalTopic {
  const [head = '', ...sources] = text.split(/^## /m);
  const [title = '', ...lines] = head.trim().split('\n');
  const value = (key: string): string | null =>
    lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2) ?? null;
  return {
    language,
    name,
    title: title.replace(/^# /, ''),
    keywords: value('keywords')?.split(', ') ?? [],
    notes: value('notes'),
    sources: sources.map((source) => {
      const [heading = '', date = '', ...rest] = source.split('\n');
      return { title: heading, date, text: rest.join('\n').trim() };
    }),
    duplicateOf: value('duplicate-of'),
    injected: value('injected'),
    disputed: value('disputed')?.split(' / ') ?? null,
  };
}

const parts = (text: string, mark: string): readonly string[] =>
  text
    .split(new RegExp(`^${mark}`, 'm'))
    .map((part) => part.trim())
    .filter((part) => part !== '');
