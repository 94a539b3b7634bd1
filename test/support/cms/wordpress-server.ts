import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredPost {
  id: number;
  slug: string;
  status: string;
  title: string;
  content: string;
  excerpt: string;
  date_gmt: string;
  featured_media: number;
  categories: number[];
  tags: number[];
}

interface Term {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

/** WordPress's REST API after its documentation, as strict as that. */
export interface WordPressServer {
  readonly host: string;
  readonly url: string;
  readonly user: string;
  password: string;
  capabilities: Record<string, boolean>;
  readonly posts: Map<number, StoredPost>;
  readonly terms: { readonly tags: Term[]; readonly categories: Term[] };
  readonly media: {
    readonly id: number;
    readonly bytes: Buffer;
    alt_text: string;
    readonly source_url: string;
  }[];
  readonly requests: string[];
  answer: { status: number; headers?: Record<string, string> } | null;
  /** Cuts the connection after a post was written, before the answer. */
  cutsWrites: boolean;
  close(): Promise<void>;
}

const members: Readonly<Record<string, string>> = {
  title: 'string',
  slug: 'string',
  content: 'string',
  excerpt: 'string',
  status: 'string',
  date_gmt: 'string',
  featured_media: 'number',
  categories: 'object',
  tags: 'object',
};

type Result = readonly [status: number, body: object];
const refused = (status: number, code: string, message: string, data: object = {}): Result => [
  status,
  { code, message, data: { status, ...data } },
];

export async function startWordPressServer(): Promise<WordPressServer> {
  let sequence = 0;
  const next = (): number => (sequence += 1);
  const wp: WordPressServer = {
    host: '',
    url: '',
    user: 'ada',
    password: 'abcd EFGH ijkl MNOP qrst UVWX',
    capabilities: { publish_posts: true },
    posts: new Map(),
    terms: { tags: [], categories: [{ id: next(), name: 'Uncategorized', slug: 'uncategorized' }] },
    media: [],
    requests: [],
    answer: null,
    cutsWrites: false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  const shown = (post: StoredPost, edit: boolean): object => {
    const text = (raw: string) => ({ ...(edit && { raw }), rendered: raw });
    const { title, content, excerpt } = post;
    const link = post.status === 'publish' ? `${wp.url}/${post.slug}/` : `${wp.url}/?p=${post.id}`;
    return { ...post, link, title: text(title), content: text(content), excerpt: text(excerpt) };
  };

  const store = (id: number, before: Partial<StoredPost>, sent: Partial<StoredPost>): Result => {
    for (const [name, value] of Object.entries(sent))
      if (members[name] !== typeof value)
        return refused(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`);
    if (sent.date_gmt !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(sent.date_gmt))
      return refused(400, 'rest_invalid_param', 'Invalid parameter(s): date_gmt');
    for (const kind of ['tags', 'categories'] as const)
      if (sent[kind]?.some((term) => !wp.terms[kind].some(({ id: known }) => known === term)))
        return refused(400, 'rest_term_invalid', 'Term does not exist.');
    const slug = sent.slug ?? before.slug ?? '';
    const taken = [...wp.posts.values()].some((post) => post.slug === slug && post.id !== id);
    const empty = {
      status: 'draft',
      title: '',
      content: '',
      excerpt: '',
      date_gmt: '',
      featured_media: 0,
      categories: [1],
      tags: [],
    };
    const post = { ...empty, ...before, ...sent, id, slug: taken ? `${slug}-2` : slug };
    // As for users who may not write any HTML.
    post.title = post.title.replaceAll(/&(?!amp;)/g, '&amp;');
    wp.posts.set(id, post);
    return [before.id === undefined ? 201 : 200, shown(post, true)];
  };

  const posts = (method: string, id: string | undefined, query: URLSearchParams, body: Buffer): Result => {
    const edit = query.get('context') === 'edit';
    if (method === 'GET' && id === undefined) {
      const statuses = (query.get('status') ?? 'publish').split(',');
      const found = [...wp.posts.values()].filter(
        (post) => post.slug === query.get('slug') && statuses.includes(post.status),
      );
      return [200, found.map((post) => shown(post, edit))];
    }
    const current = id === undefined ? undefined : wp.posts.get(Number(id));
    if (id !== undefined && current === undefined)
      return refused(404, 'rest_post_invalid_id', 'Invalid post ID.');
    if (method === 'GET') return [200, shown(current as StoredPost, edit)];
    return store(current?.id ?? next(), current ?? {}, JSON.parse(body.toString()));
  };

  const terms = (
    kind: 'tags' | 'categories',
    method: string,
    query: URLSearchParams,
    body: Buffer,
  ): Result => {
    if (method === 'GET') return [200, wp.terms[kind].filter(({ slug }) => slug === query.get('slug'))];
    const { name, slug } = JSON.parse(body.toString()) as Term;
    const same = wp.terms[kind].find((term) => term.name === name);
    if (same)
      return refused(400, 'term_exists', 'A term with the name provided already exists.', {
        term_id: same.id,
      });
    const made = { id: next(), name, slug };
    wp.terms[kind].push(made);
    return [201, made];
  };

  const media = (id: string | undefined, request: IncomingMessage, body: Buffer): Result => {
    if (id !== undefined) {
      const stored = wp.media.find((each) => each.id === Number(id));
      if (stored === undefined) return refused(404, 'rest_post_invalid_id', 'Invalid post ID.');
      stored.alt_text = (JSON.parse(body.toString()) as { alt_text: string }).alt_text;
      return [200, stored];
    }
    const name = /^attachment; filename="([^"]+)"$/.exec(String(request.headers['content-disposition']))?.[1];
    if (name === undefined || !request.headers['content-type']?.startsWith('image/'))
      return refused(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.');
    const made = {
      id: next(),
      bytes: body,
      alt_text: '',
      source_url: `${wp.url}/wp-content/uploads/${wp.media.length + 1}-${name}`,
    };
    wp.media.push(made);
    return [201, { id: made.id, source_url: made.source_url }];
  };

  const handle = (request: IncomingMessage, url: URL, body: Buffer): Result => {
    const expected = `Basic ${Buffer.from(`${wp.user}:${wp.password}`).toString('base64')}`;
    if (request.headers.authorization !== expected && url.searchParams.has('status')) return refusedStatus;
    if (request.headers.authorization !== expected)
      return refused(401, 'incorrect_password', 'The provided password is an invalid application password.');
    const [, kind = '', id] =
      /^\/wp-json\/wp\/v2\/(posts|tags|categories|media|users)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    const method = request.method ?? '';
    if (kind === 'posts') return posts(method, id, url.searchParams, body);
    if (kind === 'tags' || kind === 'categories') return terms(kind, method, url.searchParams, body);
    if (kind === 'media') return media(id, request, body);
    if (kind === 'users')
      return [
        200,
        { name: 'Ada', ...(url.searchParams.get('context') === 'edit' && { capabilities: wp.capabilities }) },
      ];
    return refused(404, 'rest_no_route', 'No route was found matching the URL and request method.');
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://wp');
      wp.requests.push(`${request.method} ${url.pathname}`);
      const [status, body] = wp.answer ? [wp.answer.status, {}] : handle(request, url, Buffer.concat(chunks));
      if (wp.cutsWrites && request.method === 'POST' && url.pathname.includes('/posts'))
        return void request.socket.destroy();
      response.writeHead(status, {
        'content-type': 'application/json; charset=UTF-8',
        ...wp.answer?.headers,
      });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(wp, { host, url: `http://${host}` });
}

/** What a stranger gets who asks for drafts. */
const refusedStatus: Result = [
  400,
  {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): status',
    data: {
      status: 400,
      params: { status: 'Status is forbidden.' },
      details: {
        status: { code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: 401 } },
      },
    },
  },
];
