import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { fileAt, pageAt } from './addresses.ts';
import { send } from './answer.ts';
import type { Answer } from './answer.ts';
import { submit } from './comments.ts';
import { fetchPublic, readFrame } from './content.ts';
import type { Frame } from './content.ts';
import { Kept } from './kept.ts';
import { assets } from './layout.ts';
import { Pages } from './pages.ts';
import { clientAddress, isFromHere, readBody } from './request.ts';
import { Presswork, PressworkError, verifyWebhook } from './sdk.ts';
import type { Site } from './sdk.ts';

export interface BlogOptions {
  /** The API, with `/v1`. */
  readonly baseUrl: string;
  /** A publishable key: it sees public content. */
  readonly apiKey: string;
  /** A secret key with the scope `engagement:write` and no other; without it nobody can comment. */
  readonly commentKey?: string | undefined;
  /** Of the webhook endpoint at `/_webhooks`; without it changes are seen after `freshMs`. */
  readonly webhookSecret?: string | undefined;
  readonly behindProxy?: boolean;
  /** After this time a page is asked for again, for the sake of what has no event: renamed terms, approved comments. */
  readonly freshMs?: number;
}

const WEBHOOKS = '/_webhooks';
const KEPT_BYTES = 64 * 2 ** 20;
const FORM_BYTES = 64 * 2 ** 10;
const EVENT_BYTES = 8 * 2 ** 20;
/** For a page: after that readers get the page that is kept. */
const patience = { timeoutMs: 5_000, maxRetries: 1, maxElapsedMs: 6_000 };

const plain = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body });

/** A blog that shows a Site of Presswork. It keeps pages in memory until a webhook says that something changed. */
export function createBlog(options: BlogOptions): Server {
  const { baseUrl, commentKey, behindProxy = false, freshMs = 30_000 } = options;
  const api = new Presswork({ apiKey: options.apiKey, baseUrl, ...patience });
  const commentApi =
    commentKey === undefined ? null : new Presswork({ apiKey: commentKey, baseUrl, ...patience });
  const frames = new Kept<Frame>({ freshMs, maxBytes: 1, size: () => 1 });
  const kept = new Kept<Answer>({
    freshMs,
    maxBytes: KEPT_BYTES,
    size: ({ status, body }) => (status === 200 ? Buffer.byteLength(body) : 0),
  });
  const frame = () => frames.read('', () => readFrame(api));
  const origin = baseUrl.replace(/\/v1\/*$/, '');
  const pages = new Pages({ api, origin, frame, canComment: commentApi !== null });

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    if (!URL.canParse(`http://blog${request.url}`)) return plain(400, 'Malformed address');
    const { pathname: path, searchParams: query } = new URL(`http://blog${request.url}`);
    const asset = assets.get(path);
    if (asset) return asset;
    if (request.method === 'POST') return path === WEBHOOKS ? receive(request) : comment(request, path);
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Method not allowed');
    const { site } = await frame();
    const file = fileAt(site, path);
    if (file !== null) return kept.read(path, () => fetchFile(file));
    const said = query.get('comment');
    const slug = articleAt(site, path);
    if (slug !== null && (said === 'held' || said === 'approved'))
      return pages.article(slug, { outcome: said });
    const cursor = query.get('cursor');
    const key = cursor === null ? path : `${path}?cursor=${encodeURIComponent(cursor)}`;
    return pages.once(path, query) ?? kept.read(key, () => pages.read(path, cursor));
  }

  /** Which event it is, and whether it has come before, hardly matters: kept pages are only asked for again. */
  async function receive(request: IncomingMessage): Promise<Answer> {
    const body = await readBody(request, EVENT_BYTES);
    if (body === null) return plain(413, 'Too large');
    try {
      const { event } = await verifyWebhook(body, request.headers, options.webhookSecret ?? []);
      if (event === 'article.unpublished' || event === 'article.deleted') kept.clear();
      else kept.expire();
      frames.expire();
      return plain(200, 'Thank you');
    } catch {
      return plain(400, 'Not signed with the secret of this endpoint');
    }
  }

  async function comment(request: IncomingMessage, path: string): Promise<Answer> {
    const slug = articleAt((await frame()).site, path);
    if (commentApi === null || slug === null) return plain(405, 'Method not allowed');
    if (!isFromHere(request)) return pages.problem(403);
    const body = await readBody(request, FORM_BYTES);
    if (body === null) return pages.problem(413);
    const form = new URLSearchParams(body.toString());
    const sent = await submit(commentApi, slug, form, clientAddress(request, behindProxy));
    if (sent.outcome !== 'approved' && sent.outcome !== 'held')
      return { ...(await pages.article(slug, sent)), status: 422 };
    kept.expire();
    return { ...plain(303, ''), headers: { location: `${path}?comment=${sent.outcome}#write` } };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      send(request, response, await answerTo(request));
    } catch (error) {
      if (response.destroyed) return;
      // Without the address: that of a preview is a secret. What is wrong with the API needs no stack.
      const isOfApi = error instanceof PressworkError;
      console.error(isOfApi ? `${error.code}: ${error.message}` : error);
      send(request, response, await pages.problem(isOfApi ? 503 : 500));
    }
  }

  const server = createServer((request, response) => void respond(request, response));
  // The time of a slow client for a whole request.
  server.requestTimeout = 15_000;
  return server;
}

function articleAt(site: Site, path: string): string | null {
  const page = pageAt(site, path);
  return page?.kind === 'article' ? page.slug : null;
}

/** A feed, the sitemap or a text for robots, as the API serves it. */
async function fetchFile(url: string): Promise<Answer> {
  const answer = await fetchPublic(url);
  if (answer === null) return plain(404, 'There is no such file');
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  return { status: 200, type, body: new Uint8Array(await answer.arrayBuffer()) };
}
