import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { flat } from '../../support/images.ts';
import type { Client } from './client.ts';
import { Promises } from './promises.ts';
import type { PromisedArticle } from './promises.ts';

/** The maximum number of runs: an article costs 19 credits, and the demo organisation has 1,000. */
const RUNS = 25;

/** Mixed traffic of several concurrent clients, which record what they were promised. */
export class Load {
  readonly promises = new Promises();
  /** Errors of clients that gave up; there should be none. */
  readonly failures: string[] = [];
  readonly #client: Client;
  readonly #categoryId: string;
  readonly #pauses: number;
  #going: Promise<void>[] = [];
  #stopped = false;

  /** @param pauses factor for the usual pauses; larger for less load */
  constructor(client: Client, categoryId: string, pauses = 1) {
    this.#client = client;
    this.#pauses = pauses;
    this.#categoryId = categoryId;
  }

  start(): void {
    this.#stopped = false;
    this.#going = [
      this.#repeat('an author', 100, () => this.#publish()),
      this.#repeat('an author', 100, () => this.#publish()),
      this.#repeat('a scheduler', 150, () => this.#schedule()),
      this.#repeat('a scheduler', 150, () => this.#schedule()),
      this.#repeat('a bulk publisher', 500, () => this.#publishTogether()),
      this.#repeat('a remover', 300, () => this.#remove()),
      this.#repeat('a commenter', 400, () => this.#comment()),
      this.#repeat('an uploader', 250, () => this.#upload()),
      this.#repeat('the pipeline', 2_500, () => this.#run()),
      this.#repeat('a reader', 50, () => this.#read()),
    ];
  }

  /** Lets all clients finish their current work. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#going);
  }

  async #repeat(who: string, pauseMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      try {
        await work();
      } catch (error) {
        this.failures.push(`${who}: ${String(error)}`);
        return;
      }
      await sleep(pauseMs * this.#pauses);
    }
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
    for (;;) {
      const dueAt = Date.now() + randomInt(1_000, 3_000);
      const { status } = await this.#client.send('POST', `/articles/${id}/schedule`, {
        body: { scheduled_publish_at: new Date(dueAt).toISOString() },
        answers: [200, 409, 422],
      });
      // 422: the time has passed in the meantime; 409: the article is already published.
      if (status === 422) {
        await sleep(200);
        continue;
      }
      Object.assign(article, { dueAt, later: true, state: 'published' });
      return;
    }
  }

  async #remove(): Promise<void> {
    const [id, article] = await this.#create();
    await this.#client.send('POST', `/articles/${id}/publish`, { answers: [200] });
    await this.#client.send('DELETE', `/articles/${id}`, { answers: [204, 404] });
    article.state = 'deleted';
  }

  async #comment(): Promise<void> {
    const slugs = this.promises.publishedSlugs();
    const slug = slugs[randomInt(Math.max(1, slugs.length))];
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
    if (this.promises.runs.size >= RUNS) return;
    const topics = [{ title: `The long way of ${randomUUID()}` }];
    const { data } = await this.#client.send('POST', '/pipeline/runs', {
      body: { topics },
      idempotent: true,
      answers: [202],
    });
    this.promises.runs.set(data.id, topics.length);
  }

  /** An answered write is visible at once. */
  async #read(): Promise<void> {
    const known = [...this.promises.articles].filter(([, { state }]) => state === 'published');
    const [id, article] = known[randomInt(Math.max(1, known.length))] ?? [];
    if (id === undefined || article === undefined) return;
    const { content } = article;
    const { data } = await this.#client.send('GET', `/articles/${id}`, { answers: [200] });
    if (data.content !== content) throw new Error(`Article ${id} differs from its answer`);
    await this.#client.send('GET', '/articles?limit=20', { answers: [200] });
  }
}
