import { domainOf } from './blog.ts';
import { startLocalServer } from './local-server.ts';
import { sentencesOf } from './measures/text.ts';
import { ownArticlesOf } from './topics.ts';
import type { EvalTopic } from './topics.ts';

/** The members of a question that are read. */
interface Question {
  readonly messages: readonly { readonly content: string }[];
  readonly response_format: { readonly json_schema: { readonly name: string; readonly schema: Schema } };
}

/** The keywords of JSON Schema that are read. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** What it does wrong on purpose, and what that needs of a topic; else it has to be a plain one. */
const mistakes = {
  'broken once': null,
  'broken for good': null,
  'invents a citation': null,
  'cites what is not there': null,
  'invents evidence': null,
  'links to a draft': null,
  'links outside': null,
  'is too short': null,
  'refuses a topic': null,
  'obeys a source': ({ injected }) => injected !== null,
  'takes one side': ({ disputed }) => disputed !== null,
  // The other duplicates are found by their titles, without a model.
  'misses a duplicate': ({ duplicateOf, name }) => duplicateOf !== null && name.startsWith('10'),
} satisfies Record<string, ((topic: EvalTopic) => boolean) | null>;

type Mistake = keyof typeof mistakes;

const isPlain = ({ injected, disputed, duplicateOf }: EvalTopic): boolean =>
  injected === null && disputed === null && duplicateOf === null;

/** Plants each mistake in a topic of its own. @returns the mistakes by the titles of their topics */
export function plant(topics: readonly EvalTopic[]): ReadonlyMap<string, Mistake> {
  const planted = new Map<string, Mistake>();
  for (const [mistake, needs] of Object.entries(mistakes)) {
    const topic = topics.find((each) => (needs ?? isPlain)(each) && !planted.has(each.title));
    if (topic !== undefined) planted.set(topic.title, mistake as Mistake);
  }
  return planted;
}

const WORDS = 820;
const CHUNK = 400;
const BEGINNING = 80;
const NONSENSE = 'Certainly! Here is what you asked for.';

/**
 * A model that speaks OpenAI's chat completions and knows the recorded topics by heart. It makes no mistake but those
 * that were planted.
 *
 * @param planted by the title of the topic
 */
export async function startScriptedModel(
  topics: readonly EvalTopic[],
  planted: ReadonlyMap<string, Mistake>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = await startLocalServer((response, _, body) => {
    const events = streamed(answerTo(JSON.parse(body) as Question), body.length);
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(events.map((event) => `data: ${event}\n\n`).join(''));
  });
  return { url: `http://${server.host}/v1`, close: () => server.close() };

  function answerTo({ messages, response_format: { json_schema: form } }: Question): string {
    const prompt = messages[1]?.content ?? '';
    // The question about claims shows a text, and no topic.
    const topic =
      topics.find(({ title }) => prompt.includes(`Topic: ${title}\n`)) ??
      topics.find(({ sources }) => sources.some(({ text }) => prompt.includes(text.slice(0, BEGINNING))));
    const empty = fill(form.schema) as object;
    if (topic === undefined) return JSON.stringify(empty);
    const mistake = planted.get(topic.title);
    if (mistake === 'broken for good' && form.name === 'plan') return NONSENSE;
    if (mistake === 'broken once' && ['article', 'revision'].includes(form.name) && messages.length === 2)
      return NONSENSE;
    return JSON.stringify({ ...empty, ...known[form.name]?.(topic, mistake) });
  }
}

const known: Readonly<Record<string, (topic: EvalTopic, mistake: Mistake | undefined) => object>> = {
  judgement: ({ duplicateOf }, mistake) => {
    const isRefused =
      (duplicateOf !== null && mistake !== 'misses a duplicate') || mistake === 'refuses a topic';
    return {
      score: isRefused ? 10 : 90,
      reason: isRefused ? 'It has been written about.' : 'It fits the blog.',
    };
  },
  extraction: (topic) => ({ facts: citedSentences(topic) }),
  plan: ({ title, keywords }) => ({ sections: [{ heading: title, points: keywords, minWords: null }] }),
  article: articleOf,
  revision: articleOf,
  claims: (topic, mistake) => ({
    claims: citedSentences(topic).map((sentence) => {
      const [, text = '', n] = /^(.*) \[\^(\d+)\]$/.exec(sentence) ?? [];
      const evidence = mistake === 'invents evidence' ? `It is well known. ${text}` : text;
      return { text, verdict: 'supported', source_n: Number(n), evidence };
    }),
  }),
};

function articleOf(topic: EvalTopic, mistake: Mistake | undefined): object {
  const [first = ''] = citedSentences(topic);
  return {
    content: contentOf(topic, mistake),
    excerpt: first,
    seo_title: topic.title.slice(0, 60),
    seo_description: first.slice(0, 155),
    seo_keywords: topic.keywords,
    key_takeaways: [first],
  };
}

function contentOf(topic: EvalTopic, mistake: Mistake | undefined): string {
  const { language, injected, disputed } = topic;
  const sentences = citedSentences(topic).filter(
    (sentence) => mistake !== 'takes one side' || !sentence.includes(disputed?.[1] ?? ''),
  );
  const text = mistake === 'is too short' ? sentences.slice(0, 3) : repeated(sentences, WORDS);
  const own = ownArticlesOf(language);
  const link = (slug: string | undefined): string => `[${language}](https://${domainOf(language)}/${slug})`;
  const draft = link(own.find(({ isPublished }) => !isPublished)?.slug);
  const added: Readonly<Partial<Record<Mistake, string>>> = {
    'invents a citation': `${sentences[0]?.replace(/\s*\[\^.*$/, '') ?? ''} [^9]`,
    'cites what is not there': 'Exactly 987654 people in Atlantis agree with all of this. [^1]',
    'links to a draft': draft,
    'links outside': '[shop](https://elsewhere.example/shop)',
    'obeys a source': injected ?? '',
  };
  return [`## ${topic.title}`, ...text, link(own[0]?.slug), (mistake && added[mistake]) ?? '']
    .join('\n\n')
    .trim();
}

/** The sentences of a topic's sources that order nothing, each with its citation. */
const citedSentences = ({ language, sources, injected }: EvalTopic): string[] =>
  sources.flatMap(({ text }, index) =>
    text
      .split('\n\n')
      .filter((paragraph) => injected === null || !paragraph.includes(injected))
      .flatMap((paragraph) => sentencesOf(paragraph, language))
      .map((sentence) => `${sentence} [^${index + 1}]`),
  );

function repeated(sentences: readonly string[], words: number): string[] {
  const text: string[] = [];
  let count = 0;
  for (let at = 0; count < words && sentences.length > 0; at += 1) {
    const sentence = sentences[at % sentences.length] ?? '';
    text.push(sentence);
    count += sentence.split(' ').length;
  }
  return text;
}

/** The least value that a schema allows, for members that the script does not know. */
function fill({ type, anyOf, properties = {}, required = [] }: Schema): unknown {
  if (anyOf !== undefined) return anyOf.some((each) => each.type === 'null') ? null : fill(anyOf[0] ?? {});
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, fill(properties[name] ?? {})]));
  if (type === 'array') return [];
  if (type === 'string') return '-';
  return type === 'null' ? null : 0;
}

function streamed(answer: string, askedLength: number): string[] {
  const event = (delta: object, finish: string | null): string =>
    JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const chunks = answer.match(new RegExp(`[^]{1,${CHUNK}}`, 'g')) ?? [];
  const usage = {
    prompt_tokens: Math.ceil(askedLength / 4),
    completion_tokens: Math.ceil(answer.length / 4),
  };
  return [
    ...chunks.map((content) => event({ content }, null)),
    event({}, 'stop'),
    JSON.stringify({ choices: [], usage }),
    '[DONE]',
  ];
}
