import type { EvalTopic } from './topics.ts';

/** What a scripted model does wrong on purpose. */
export const mistakes = [
  'broken once',
  'broken for good',
  'invents a citation',
  'cites what is not there',
  'links to a draft',
  'links outside',
  'is too short',
  'obeys a source',
  'takes one side',
  'misses a duplicate',
  'refuses a topic',
] as const;

export type Mistake = (typeof mistakes)[number];

/** Those for which a topic needs something in its sources. */
const needs: Readonly<Partial<Record<Mistake, (topic: EvalTopic) => boolean>>> = {
  'obeys a source': ({ injected }) => injected !== null,
  'takes one side': ({ disputed }) => disputed !== null,
  // The other duplicates are found by their titles, without a model.
  'misses a duplicate': ({ duplicateOf, name }) => duplicateOf !== null && name.startsWith('10'),
};

const isPlain = ({ injected, disputed, duplicateOf }: EvalTopic): boolean =>
  injected === null && disputed === null && duplicateOf === null;

/** Plants each mistake in a topic of its own, by the topic's title. */
export function plant(topics: readonly EvalTopic[]): ReadonlyMap<string, Mistake> {
  const planted = new Map<string, Mistake>();
  for (const mistake of mistakes) {
    const fits = needs[mistake] ?? isPlain;
    const topic = topics.find((each) => fits(each) && !planted.has(each.title));
    if (topic !== undefined) planted.set(topic.title, mistake);
  }
  return planted;
}
