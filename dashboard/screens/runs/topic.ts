import type { Topic } from '../../../sdk/src/index.ts';
import { linesOf } from '../../content/lines.ts';

export const MOST_TOPICS = 50;

/** A topic as it stands in the form. */
export interface TopicInput {
  /** Only of the form: it stays when topics before it are removed. */
  readonly key: number;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly source: string;
  /** Further ones, one a line. */
  readonly sources: string;
  readonly notes: string;
}

/** The common fields of all topics of the form. */
export interface ForAll {
  readonly format: string | null;
  readonly category: string | null;
  readonly author: string | null;
}

let lastKey = 0;

export const newTopic = (title = ''): TopicInput => ({
  key: (lastKey += 1),
  title,
  keywords: [],
  source: '',
  sources: '',
  notes: '',
});

export const isEmpty = ({ title, keywords, source, sources, notes }: TopicInput): boolean =>
  keywords.length === 0 && [title, source, sources, notes].every((text) => text.trim() === '');

export const toTopic = ({ title, keywords, source, sources, notes }: TopicInput, forAll: ForAll): Topic => ({
  title: title.trim(),
  keywords,
  ...(notes.trim() !== '' && { notes: notes.trim() }),
  ...(source.trim() !== '' && { source_url: source.trim() }),
  ...(sources.trim() !== '' && { source_urls: linesOf(sources) }),
  format_id: forAll.format,
  category_id: forAll.category,
  author_id: forAll.author,
});

/** The topics after a text was pasted into one of them: a topic for each line, as far as there is room. */
export function withPasted(topics: readonly TopicInput[], at: number, pasted: string): readonly TopicInput[] {
  const [first = '', ...others] = pasted
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const before = topics.slice(0, at);
  const target = topics[at] ?? newTopic();
  const made = [{ ...target, title: first }, ...others.map((title) => newTopic(title))];
  return [...before, ...made, ...topics.slice(at + 1)].slice(0, MOST_TOPICS);
}
