import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the server. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { model: string; messages: { role: string; content: string }[]; response_format?: unknown };
}

/** How the server answers one request. */
export type Reaction = (response: ServerResponse, asked: Asked) => void;

/** A local server that speaks OpenAI's chat completions. */
export interface ModelServer {
  /** With `/v1`. */
  readonly url: string;
  readonly asked: Asked[];
  /** Used one after another; the last one stays. */
  reactions: Reaction[];
  close(): Promise<void>;
}

/** Sends events, each as JSON or as it is. */
export const streams =
  (...events: (object | string)[]): Reaction =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(events.map((event) => `data: ${asData(event)}\n\n`).join(''));

export const asData = (event: object | string): string =>
  typeof event === 'string' ? event : JSON.stringify(event);

/** Characters of a token. */
const TOKEN = 7;

/** Answers with a text, in chunks as OpenAI streams them. */
export const says = (content: string): Reaction => streams(...chunks(content));

export const chunks = (content: string, finish_reason = 'stop'): (object | string)[] => [
  chunk({ role: 'assistant', content: '' }),
  ...(content.match(new RegExp(`[^]{1,${TOKEN}}`, 'g')) ?? []).map((part) => chunk({ content: part })),
  chunk({}, finish_reason),
  { ...chunk({}), choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } },
  '[DONE]',
];

export const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'chat-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'test',
  choices: [{ index: 0, delta, finish_reason }],
});

/** Answers with a text at once, as servers do that cannot stream. */
export const saysAtOnce =
  (content: string): Reaction =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(completion(content));

export const completion = (content: string): string =>
  JSON.stringify({
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  });

const SENTENCE = 'Bread is baked of flour, water, salt and time, and nothing in it has to be hurried. ';

/** An article as an obedient model improves it. */
export const revised = {
  content: `## What it is\n\n${SENTENCE.repeat(80)}`,
  excerpt: 'Bread, and how it is baked.',
  seo_title: 'Bread',
  seo_description: 'Bread, and how it is baked.',
  seo_keywords: ['bread'],
  key_takeaways: ['Take your time.'],
  faqs: [{ question: 'How long?', answer: 'An hour.' }],
  howto_steps: [{ name: 'Mix', text: 'Mix it all.' }],
  comparison: null,
};

/** What an obedient model proposes. */
export const proposed = {
  titles: ['Bread without hurry'],
  tags: ['Baking'],
  category: 'Kitchen',
  excerpt: 'Four things, and time.',
  seo_title: 'Bread at home',
  seo_description: 'How to bake bread at home.',
};

/** The answers of an obedient model, by the requested form. */
const fitting: Readonly<Record<string, object>> = {
  judgement: { score: 90, reason: 'It suits the blog.' },
  questions: { questions: ['How is bread baked?', 'How long does dough rest?'] },
  extraction: { facts: ['Bread is baked of flour.'] },
  plan: { sections: [{ heading: 'What it is', points: ['Flour and water.'], minWords: 100 }] },
  article: revised,
  revision: { ...revised, suggestions: proposed },
  claims: { claims: [] },
};

/** The name of the requested form: such as `judgement`. */
export const formOf = ({ body }: Asked): string =>
  (body.response_format as { json_schema: { name: string } }).json_schema.name;

/** Answers each request in the requested form. */
export const writes: Reaction = (response, asked) =>
  says(JSON.stringify(fitting[formOf(asked)]))(response, asked);

/** Refuses like a provider. */
export const refuses =
  (status: number, headers: Record<string, string> = {}): Reaction =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: 'no', type: 'test' } }));

/** Refuses with a body. */
export const refusesWith =
  (status: number, body: object): Reaction =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export async function startModelServer(): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') return answerGet(request, response);
    void read(request).then((text) => {
      const one = {
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: JSON.parse(text) as Asked['body'],
      };
      asked.push(one);
      const reaction = model.reactions.length > 1 ? model.reactions.shift() : model.reactions[0];
      reaction?.(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const model: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    reactions: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return model;
}

/** Lists its only model on `GET /v1/models`; no other path exists. */
function answerGet({ url }: IncomingMessage, response: ServerResponse): void {
  const known = url === '/v1/models';
  const models = [{ id: 'test', object: 'model', created: 1, owned_by: 'test' }];
  response
    .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
    .end(JSON.stringify(known ? { object: 'list', data: models } : { error: { message: 'no such path' } }));
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
