import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { languages, topicsOf } from './topics.ts';
import type { EvalTopic } from './topics.ts';

export interface SourceServer {
  /** `host:port` */
  readonly host: string;
  /** The addresses of a topic's sources, in their order. */
  readonly urlsOf: (topic: EvalTopic) => string[];
  close(): Promise<void>;
}

/** Serves the recorded sources as pages. */
export async function startSourceServer(): Promise<SourceServer> {
  const pages = new Map(
    languages
      .flatMap(topicsOf)
      .flatMap((topic) =>
        topic.sources.map((source, index) => [pathOf(topic, index), pageOf(topic, index, source.text)]),
      ) as [string, string][],
  );
  const server = createServer(({ url = '' }, response) => {
    const page = pages.get(url);
    response
      .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    urlsOf: (topic) => topic.sources.map((_, index) => `http://${host}${pathOf(topic, index)}`),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const pathOf = ({ language, name }: EvalTopic, index: number): string => `/${language}/${name}/${index + 1}`;

function pageOf({ language, sources }: EvalTopic, index: number, text: string): string {
  const { title = '', date = '' } = sources[index] ?? {};
  const paragraphs = text.split('\n\n').map((paragraph) => `<p>${escaped(paragraph)}</p>`);
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta property="article:published_time" content="${date}"></head>
<body><article><h1>${escaped(title)}</h1><p><time datetime="${date}">${date}</time></p>${paragraphs.join('\n')}</article></body></html>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
