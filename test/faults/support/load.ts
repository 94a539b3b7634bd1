import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { flat } from '../../support/images.ts';
import type { Client } from './client.ts';
import { Promises } from './promises.ts';
import type { PromisedArticle } from './promises.ts';

/** How fast the clients of a load are. */
export interface Pace {
  /** Factor for their usual pauses; larger for less load. */
  readonly pauses?: number;
  /**
   * Requests a second instead: three of four read, and work begins at this rate, whatever the answers do, so that a slow
   * answer holds nothing back.
   */
  readonly rate?: number;
}

/** Requests a second at the usual pauses if an answer takes no time: of all clients that write, and of a reader. */
const OF_WRITERS = 124;
const OF_READER = 40;
const READERS = 9;
/** Limit of what is in flight at a constant rate, for each kind of client. */
const AT_ONCE = 200;
/** A Site takes 300 comments an hour. */
const BETWEEN_COMMENTS_MS = 15_000;

/** Mixed traffic of several concurrent clients, which record what they were promised. */
export class Load {
  readonly promises = new Promises();
  /** Errors of clients that gave up; there should be none, and the first one ends the load. */
  readonly failures: string[] = [];
  readonly #client: Client;
  readonly #categoryId: string;
  /** As a visitor of the Site, with a publishable key. */
  readonly #visitor: Client;
  readonly #pauses: number;
  readonly #isConstant: boolean;
  #going: Promise<void>[] = [];
  #stopped = false;

  constructor(client: Client, visitor: Client, categoryId: string, { pauses = 1, rate }: Pace = {}) {
    this.#client = client;
    this.#visitor = visitor;
    this.#categoryId = categoryId;
    this.#isConstant = rate !== undefined;
    this.#pauses = rate === undefined ? pauses : (OF_WRITERS + READERS * OF_READER) / rate;
  }

  start(): void {
    this.#stopped = false;
    const readers = this.#isConstant ? READERS : 1;
    const comments = this.#isConstant ? BETWEEN_COMMENTS_MS / this.#pauses : 400;
    this.#going = [
      this.#repeat('an author', 100, () => this.#publish()),
      this.#repeat('an author', 100, () => this.#publish()),
      this.#repeat('a scheduler', 150, () => this.#schedule()),
      this.#repeat('a scheduler', 150, () => this.#schedule()),
      this.#repeat('a bulk publisher', 500, () => this.#publishTogether()),
      this.#repeat('a remover', 300, () => this.#remove()),
      this.#repeat('a commenter', comments, () => this.#comment()),
      this.#repeat('an uploader', 250, () => this.#upload()),
      this.#repeat('the pipeline', 2_500, () => this.#run()),
      this.#repeat('an author who takes back', 500, () => this.#withdraw()),
      ...Array.from({ length: readers }, () => this.#repeat('a reader', 50, () => this.#read())),
    ];
  }

  /** Lets all clients finish their current work. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#going);
  }

  async #repeat(who: string, pauseMs: number, work: () => Promise<void>): Promise<void> {
    const atOnce = this.#isConstant ? AT_ONCE : 1;
    const going = new Set<Promise<void>>();
    for (let due = Date.now(); !this.#stopped;) {
      const begun: Promise<void> = work()
        .catch((error: unknown) => {
          this.#stopped = true;
          this.failures.push(`${who}: ${String(error)}`);
        })
        .finally(() => going.delete(begun));
      going.add(begun);
      if (going.size >= atOnce) await Promise.race(going);
      due = (this.#isConstant ? due : Date.now()) + pauseMs * this.#pauses;
      await sleep(Math.max(0, due - Date.now()));
    }
    await Promise.all(going);
  }

  async #create(): Promise<[id: string, article: PromisedArticle]> {
    const externalId = randomUUID();
    const body = {
      external_id: externalId,
      title: `Article ${externalId}`,
      content: `Text of ${externalId}.`,
      category_id: this.#categoryId,
    };
    const { data } = await this.#client.send('POST', '/articles', {
      body,
      idempotent: true,
      answers: [201],
    });
    const article: PromisedArticle = {
      externalId,
      title: body.title,
      slug: data.slug,
      content: body.content,
      state: 'draft',
      dueAt: null,
      later: false,
    };
    this.promises.articles.set(data.id, article);
    return [data.id, article];
  }

  async #publish(): Promise<void> {
    const [id, article] = await this.#create();
    const content = `Better text of ${article.externalId}, ${randomBytes(400).toString('base64')}.`;
    await this.#client.send('PATCH', `/articles/${id}`, { body: { content }, answers: [200] });
    article.content = content;
    const { data } = await this.#client.send('POST', `/articles/${id}/publish`, { answers: [200] });
    if (data.status !== 'published') throw new Error(`A published article is ${data.status}`);
    article.state = 'published';
    this.promises.readable.push(id);
  }

  /** What was taken back is not public from the answer on; the invariants look at it again. */
  async #withdraw(): Promise<void> {
    const [id, article] = await this.#create();
    if (randomInt(2) === 0) return this.#cancelSchedule(id, article);
    await this.#client.send('POST', `/articles/${id}/publish`, { answers: [200] });
    await this.#client.send('POST', `/articles/${id}/unpublish`, { answers: [200] });
    article.state = 'withdrawn';
    const { status } = await this.#visitor.send('GET', `/articles/${id}`, { answers: [200, 404] });
    if (status === 200) throw new Error(`Article ${id} was unpublished, and is public`);
  }

  /** The worker may have published it first, which is 409; it is never published after the answer. */
  async #cancelSchedule(id: string, article: PromisedArticle): Promise<void> {
    Object.assign(article, { dueAt: await scheduleSoon(this.#client, id), later: true, state: 'published' });
    const { status } = await this.#client.send('POST', `/articles/${id}/cancel-schedule`, {
      answers: [200, 409],
    });
    if (status === 200) Object.assign(article, { dueAt: null, later: false, state: 'draft' });
  }

  /** A job may end after the fault: its articles have to be public in the end. */
  async #publishTogether(): Promise<void> {
    const made = [await this.#create(), await this.#create(), await this.#create()];
    const { status } = await this.#client.send('POST', '/articles/bulk', {
      body: { action: 'publish', article_ids: made.map(([id]) => id) },
      idempotent: true,
      answers: [202, 409],
    });
    // 409: a hundred jobs wait for a worker.
    if (status !== 202) return;
    for (const [, article] of made) Object.assign(article, { state: 'published', later: true });
  }

  async #schedule(): Promise<void> {
    const [id, article] = await this.#create();
    Object.assign(article, { dueAt: await scheduleSoon(this.#client, id), later: true, state: 'published' });
  }

  async #remove(): Promise<void> {
    const [id, article] = await this.#create();
    await this.#client.send('POST', `/articles/${id}/publish`, { answers: [200] });
    await this.#client.send('DELETE', `/articles/${id}`, { answers: [204, 404] });
    article.state = 'deleted';
  }

  async #comment(): Promise<void> {
    const slug = this.#readable()?.[1].slug;
    if (slug === undefined) return;
    const body = `Comment ${randomUUID()}`;
    await this.#client.send('POST', '/comments', {
      body: { slug, body, author_name: 'A reader' },
      idempotent: true,
      answers: [201],
    });
    this.promises.comments.add(body);
  }

  async #upload(): Promise<void> {
    const bytes = await flat(randomInt(1, 400), randomInt(1, 400)).png().toBuffer();
    const declared = { file_name: 'image.png', content_type: 'image/png', size_bytes: bytes.length };
    const { data: reserved } = await this.#client.send('POST', '/media/upload-url', {
      body: declared,
      idempotent: true,
      answers: [201],
    });
    while (!(await this.#put(reserved, bytes))) {
      if (this.#stopped) return;
      await sleep(300);
    }
    const { data: asset } = await this.#client.send('POST', '/media', {
      body: { upload_id: reserved.upload_id },
      idempotent: true,
      answers: [201],
    });
    const promised = { url: asset.url, bytes, deleted: false };
    this.promises.assets.set(asset.id, promised);
    if (randomInt(3) > 0) return;
    await this.#client.send('DELETE', `/media/${asset.id}`, { answers: [204, 404] });
    promised.deleted = true;
  }

  /** Directly to storage: a lost connection or a 5xx is expected while storage is unavailable. */
  async #put(reserved: any, bytes: Buffer): Promise<boolean> {
    try {
      const answer = await fetch(reserved.upload_url, {
        method: 'PUT',
        headers: reserved.headers,
        body: new Uint8Array(bytes),
        signal: AbortSignal.timeout(10_000),
      });
      await answer.body?.cancel();
      if (answer.status >= 400 && answer.status < 500) throw new TypeError(`An upload: ${answer.status}`);
      return answer.ok;
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith('An upload')) throw error;
      return false;
    }
  }

  async #run(): Promise<void> {
    const topics = [{ title: `The long way of ${randomUUID()}`, notes: 'It is long.' }];
    const { data } = await this.#client.send('POST', '/pipeline/runs', {
      body: { topics },
      idempotent: true,
      answers: [202],
    });
    this.promises.runs.set(data.id, topics.length);
  }

  /** An answered write is visible at once. */
  async #read(): Promise<void> {
    const known = this.#readable();
    if (known === null) return;
    const [id, { content }] = known;
    const { data } = await this.#client.send('GET', `/articles/${id}`, { answers: [200] });
    if (data.content !== content) throw new Error(`Article ${id} differs from its answer`);
    await this.#client.send('GET', '/articles?limit=20', { answers: [200] });
  }

  /** Any of the articles that stay public. */
  #readable(): [id: string, article: PromisedArticle] | null {
    const { readable, articles } = this.promises;
    const id = readable[randomInt(Math.max(1, readable.length))];
    return id === undefined ? null : [id, articles.get(id) as PromisedArticle];
  }
}

/**
 * Schedules an article for a moment from now, and again if that has passed before there is an answer.
 *
 * @returns a time before which it may not be published
 */
export async function scheduleSoon(
  client: Client,
  id: string,
  inMs = randomInt(1_000, 3_000),
  patienceMs?: number,
): Promise<number> {
  const earliest = Date.now() + inMs;
  for (let dueAt = earliest; ; dueAt = Date.now() + inMs) {
    const body = { scheduled_publish_at: new Date(dueAt).toISOString() };
    const request = { body, answers: [200, 409, 422] };
    const { status } = await client.send('POST', `/articles/${id}/schedule`, request, patienceMs);
    if (status === 200) return dueAt;
    // 409: an earlier try scheduled it, and it is already published.
    if (status === 409) return earliest;
    await sleep(200);
  }
}
