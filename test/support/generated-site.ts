import { createServer as createSecureServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a path answers: a page of HTML, or whatever it likes. */
export type Answering = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A site on this machine, by https. */
export interface GeneratedSite {
  readonly origin: string;
  /** `host:port`, to be allowed. */
  readonly host: string;
  /** Paths in the order in which they were asked for. */
  readonly requests: readonly string[];
  readonly paths: Map<string, Answering>;
  close(): Promise<void>;
}

/** Starts a site whose paths may be changed; other paths are 404. */
export async function startSite(
  identity: { readonly key: string; readonly cert: string },
  paths: ReadonlyMap<string, Answering>,
): Promise<GeneratedSite> {
  const requests: string[] = [];
  const known = new Map(paths);
  const server = createSecureServer(identity, (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const answering = known.get(path);
    if (typeof answering === 'function') {
      answering(request, response);
      return;
    }
    response.statusCode = answering === undefined ? 404 : 200;
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(answering ?? '<title>Not found</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `localhost:${port}`;
  return {
    origin: `https://${host}`,
    host,
    requests,
    paths: known,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const redirect =
  (location: string, status = 301): Answering =>
  (_, response) => {
    response.writeHead(status, { Location: location });
    response.end();
  };

/** A page without faults. @param links paths to which it leads */
export const page = (path: string, links: readonly string[] = [], head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${path}</title>
  <meta name="description" content="About ${path}">${head}</head>
  <body><h1>${path}</h1>${links.map((link) => `<a href="${link}">to ${link}</a>`).join('\n')}</body></html>`;
