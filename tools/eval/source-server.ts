import { startLocalServer } from './local-server.ts';
import type { LocalServer } from './local-server.ts';
import type { EvalTopic, RecordedSource } from './topics.ts';

export interface SourceServer extends LocalServer {
  /** The addresses of a topic's sources, in their order. */
  readonly urlsOf: (topic: EvalTopic) => string[];
}

/** Serves the recorded sources as pages. */
export async function startSourceServer(topics: readonly EvalTopic[]): Promise<SourceServer> {
  const pages = new Map(
    topics.flatMap((topic) =>
      topic.sources.map((source, index): [string, string] => [pathOf(topic, index), pageOf(source)]),
    ),
  );
  const server = await startLocalServer((response, path) => {
    const page = pages.get(path);
    const type = { 'content-type': 'text/html; charset=utf-8' };
    response.writeHead(page === undefined ? 404 : 200, type).end(page ?? '');
  });
  return {
    ...server,
    urlsOf: (topic) => topic.sources.map((_, index) => `http://${server.host}${pathOf(topic, index)}`),
  };
}

const pathOf = ({ language, name }: EvalTopic, index: number): string => `/${language}/${name}/${index + 1}`;

/** The recorded texts have no character that HTML would read. */
const pageOf = ({ title, date, text }: RecordedSource): string => `<!doctype html>
<html><head><title>${title}</title><meta property="article:published_time" content="${date}"></head>
<body><article><h1>${title}</h1><time datetime="${date}">${date}</time>
${text.replaceAll(/^.+$/gm, '<p>$&</p>')}</article></body></html>`;
