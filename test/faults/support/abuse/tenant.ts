import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Tenant } from '../../../support/builders.ts';
import { flat, noise } from '../../../support/images.ts';
import { hostileBodies, provoke } from './strangers.ts';
import type { Abuse } from './strangers.ts';

/** Articles of nearly the maximum size, with two bytes per character in memory. */
const WIDE_ARTICLES = 30;
const wideText = `中${'a'.repeat(340_000)}`;

/** A tenant that uses everything its keys allow against the others. */
export class HostileTenant {
  readonly #origin: string;
  readonly #tenant: Tenant;
  readonly #agentKey: string;
  #wide: readonly string[] = [];

  constructor(origin: string, tenant: Tenant, agentKey: string) {
    this.#origin = origin;
    this.#tenant = tenant;
    this.#agentKey = agentKey;
  }

  /** Registers a large image. @returns its public path */
  async uploadImage(): Promise<string> {
    const bytes = await noise(1_600, 1_600).jpeg({ quality: 95 }).toBuffer();
    const asset = await this.#register(bytes, 'image/jpeg');
    return new URL(asset.url as string).pathname;
  }

  /** Creates the objects for the abuse. @param receivers of its webhooks */
  async prepare(receivers: readonly string[]): Promise<void> {
    const events = ['article.published', 'article.updated', 'article.unpublished'];
    for (const url of receivers) await this.#must('POST', '/webhooks', { url, events });
    const ids: string[] = [];
    for (let index = 0; index < WIDE_ARTICLES; index += 1) {
      const { id } = await this.#must('POST', '/articles', { title: `Wide ${index}`, content: wideText });
      ids.push(id as string);
    }
    this.#wide = ids;
    for (const id of ids.slice(0, 10)) await this.#must('POST', `/articles/${id}/publish`);
  }

  abuses(): readonly Abuse[] {
    const send = this.#send.bind(this);
    const one = (): string => this.#wide[randomInt(10)] ?? '';
    return [
      {
        name: 'pages of whole articles',
        pauseMs: 400,
        act: async () => {
          const pages = ['/articles?fields=content&limit=100', '/events?limit=100'];
          await Promise.all([...pages, ...pages].map((path) => send('GET', path)));
        },
      },
      {
        name: 'questions of every shape',
        pauseMs: 120,
        act: () => {
          const orders = [
            'updated_at.desc',
            'updated_at.asc',
            'published_at.desc',
            'published_at.asc',
            'created_at.desc',
          ];
          const filters = [
            'status=draft',
            `category_id=${randomUUID()}`,
            `tag_id=${randomUUID()}`,
            'slug=a',
            'external_id=b',
          ];
          const some = filters.filter(() => randomInt(2) === 0).join('&');
          return send(
            'GET',
            `/articles?order=${orders[randomInt(orders.length)]}&${some}&limit=${randomInt(1, 5)}`,
          );
        },
      },
      {
        name: 'bodies that cost more than they look',
        pauseMs: 700,
        act: () => send('POST', '/articles', hostileBodies[randomInt(hostileBodies.length)]),
      },
      {
        name: 'events of nearly a megabyte',
        pauseMs: 900,
        act: () => send('PATCH', `/articles/${one()}`, { excerpt: randomUUID() }),
      },
      {
        name: 'replays',
        pauseMs: 5_000,
        act: async () => {
          const { items } = await this.#must('GET', '/webhooks');
          for (const { id } of (items as { id: string }[]).slice(0, 3))
            await send('POST', `/webhooks/${id}/replay`, { since: '2020-01-01T00:00:00Z' });
        },
      },
      {
        name: 'one lock that many writes wait for',
        pauseMs: 3_000,
        act: async () => {
          const category = await this.#unlessLimited('POST', '/categories', { name: randomUUID() });
          if (category === null) return;
          const { id } = category;
          const bodies = Array.from({ length: 12 }, () => ({ title: 'The same title', category_id: id }));
          await Promise.all([
            ...bodies.map((body) => send('POST', '/articles', body)),
            send('DELETE', `/categories/${id}`),
          ]);
        },
      },
      {
        name: 'templates that multiply',
        pauseMs: 6_000,
        act: async () => {
          const template = `${'{{keywords}}'.repeat(400)}{{title}}`;
          await send('PATCH', '/pipeline/prompts/classify', { template });
          const keywords = Array.from({ length: 100 }, () => 'k'.repeat(5_000));
          await send('POST', '/pipeline/runs', { topics: [{ title: 'three short words', keywords }] });
        },
      },
      { name: 'images that are none', pauseMs: 2_500, act: () => this.#uploadBomb() },
      {
        name: 'approvals that are never decided',
        pauseMs: 600,
        act: () =>
          send('POST', '/comments/erase', { author_email: `${randomUUID()}@example.com` }, this.#agentKey),
      },
      {
        name: 'keys without end',
        pauseMs: 1_500,
        act: () => send('POST', '/keys', { name: 'one more', kind: 'secret', scopes: ['articles:read'] }),
      },
      {
        name: 'names that are looked up',
        pauseMs: 1_500,
        act: () =>
          send('POST', '/webhooks', {
            url: `https://${randomBytes(8).toString('hex')}.example.com/`,
            events: ['comment.created'],
          }),
      },
    ];
  }

  /** Stops what would continue by itself. */
  async leave(): Promise<void> {
    const { items } = await this.#must('GET', '/webhooks');
    for (const { id } of items as { id: string }[]) await this.#send('DELETE', `/webhooks/${id}`);
  }

  async #uploadBomb(): Promise<void> {
    const bombs = [
      async () => flat(12_000, 8_000).png().toBuffer(),
      async () => (await noise(900, 900).jpeg().toBuffer()).subarray(0, 40_000),
      async () => randomBytes(900_000),
      async () => flat(6_000, 5_000).webp({ lossless: true }).toBuffer(),
    ];
    const bytes = await (bombs[randomInt(bombs.length)] as (typeof bombs)[number])();
    await this.#register(bytes, 'image/png').catch(() => {});
  }

  async #register(bytes: Buffer, type: string): Promise<Record<string, unknown>> {
    const declared = { file_name: 'image', content_type: type, size_bytes: bytes.length };
    const reserved = await this.#must('POST', '/media/upload-url', declared);
    const put = {
      method: 'PUT',
      headers: reserved['headers'] as Record<string, string>,
      body: new Uint8Array(bytes),
    };
    await (await fetch(reserved['upload_url'] as string, put)).body?.cancel();
    return this.#must('POST', '/media', { upload_id: reserved['upload_id'] });
  }

  #init(method: string, body: string | object | undefined, key: string): RequestInit {
    return {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': randomUUID(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
  }

  #send(method: string, path: string, body?: string | object, key = this.#tenant.secretKey): Promise<void> {
    return provoke(this.#origin, `/v1${path}`, this.#init(method, body, key));
  }

  async #must(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const data = await this.#unlessLimited(method, path, body);
    if (data === null) throw new Error(`${method} ${path} was answered 429`);
    return data;
  }

  /** @returns the answer's data, or null when the tenant has used up its requests of the minute */
  async #unlessLimited(method: string, path: string, body?: object): Promise<Record<string, unknown> | null> {
    const answer = await fetch(`${this.#origin}/v1${path}`, this.#init(method, body, this.#tenant.secretKey));
    const { data } = (await answer.json()) as { data?: Record<string, unknown> };
    if (answer.status === 429) return null;
    if (data === undefined) throw new Error(`${method} ${path} was answered ${answer.status}`);
    return data;
  }
}
