import { freePort } from '../../../runtime/free-port.ts';
import { refusedWrites } from '../../support/cms/refused-writes.ts';
import { createTestObjects } from '../../support/objects.ts';
import { registerUpload, uploadBytes } from '../../support/uploads.ts';
import { noise } from '../../support/images.ts';
import type { PushStack } from '../../support/pushes.ts';

/** A post as the tests look at it. */
export interface SeenPost {
  readonly slug: string;
  readonly title: string;
  readonly html: string;
  readonly shown: boolean;
}

/** Another system, and what a person or a network does to it. */
export interface PostRemote {
  readonly host: string;
  /** Kind, config and secret of a connection to it. */
  connection(): object;
  posts(): readonly SeenPost[] | Promise<readonly SeenPost[]>;
  /** Requests so far that write. */
  writes(): number;
  edit(slug: string): void | Promise<void>;
  remove(slug: string): void | Promise<void>;
  /** Creates a post like a person. */
  add(slug: string): void | Promise<void>;
  /** Answers each request with a status from now on; null for its own answers. */
  answers(status: number | null, headers?: Record<string, string>): void;
  /** Whether the answers of writes to posts are lost. */
  losesAnswers(loses: boolean): void | Promise<void>;
  revoke(): void | Promise<void>;
  /** Uploaded images. */
  images(): readonly Buffer[] | Promise<readonly Buffer[]>;
}

/** What holds for every system with posts. */
export function postCases(stackOf: () => PushStack, remoteOf: () => PostRemote): void {
  const patch = (article: any, values: object) =>
    stackOf().request('PATCH', `/articles/${article.id}`, values);
  const connect = (values: object = {}) => stackOf().connect({ ...remoteOf().connection(), ...values });
  const only = async (): Promise<SeenPost> => {
    const posts = await remoteOf().posts();
    expect(posts).toHaveLength(1);
    return posts[0] as SeenPost;
  };
  const lastError = async (id: string) =>
    (await stackOf().request('GET', `/delivery/connections/${id}`)).data.last_error;

  test('an article becomes a post, an update changes it, and nothing new writes nothing', async () => {
    const { id } = await connect();
    const article = await stackOf().publish({ title: 'Salt & pepper', content: 'Some *text*.' });
    expect(await stackOf().pushed(id, article.id)).toMatchObject({
      status: 'succeeded',
      remote_url: expect.stringContaining(article.slug),
      attempts: 1,
    });
    expect(await only()).toMatchObject({ slug: article.slug, title: 'Salt & pepper', shown: true });
    expect((await only()).html).toContain('<em>text</em>');
    const writes = remoteOf().writes();
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
    expect(remoteOf().writes()).toBe(writes);
    await patch(article, { title: 'Another title', slug: `${article.slug}-moved` });
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
    expect(await only()).toMatchObject({ slug: `${article.slug}-moved`, title: 'Another title' });
  });

  test('an article that is not published any more becomes a draft, and a post again', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    await stackOf().pushed(id, article.id);
    await stackOf().request('POST', `/articles/${article.id}/unpublish`);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
    expect((await only()).shown).toBe(false);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
    await stackOf().request('POST', `/articles/${article.id}/publish`);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
    expect((await only()).shown).toBe(true);
    const last = await stackOf().push(id, [article.id]);
    await stackOf().request('DELETE', `/articles/${article.id}`);
    await stackOf().work(id);
    expect((await stackOf().items(last.id))[0]).toMatchObject({ status: 'succeeded' });
    expect((await only()).shown).toBe(false);
  });

  test('an article that was never there fails', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    await stackOf().request('POST', `/articles/${article.id}/unpublish`);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'failed', attempts: 1 });
    expect(await remoteOf().posts()).toEqual([]);
  });

  test('what was changed there since is left alone, unless forced', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    await stackOf().pushed(id, article.id);
    await remoteOf().edit(article.slug);
    const before = await only();
    await patch(article, { title: 'Another title' });
    expect(await stackOf().pushed(id, article.id)).toMatchObject({
      status: 'diverged',
      error: expect.stringContaining('force'),
    });
    await stackOf().request('POST', `/articles/${article.id}/unpublish`);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'diverged' });
    expect(await only()).toEqual(before);
    expect(await lastError(id)).toBeNull();
    await stackOf().request('POST', `/articles/${article.id}/publish`);
    expect(await stackOf().pushed(id, article.id, { force: true })).toMatchObject({ status: 'succeeded' });
    expect(await only()).toMatchObject({ title: 'Another title', shown: true });
  });

  test('what was deleted there since is left alone, unless forced', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    await stackOf().pushed(id, article.id);
    await remoteOf().remove(article.slug);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'diverged' });
    expect(await remoteOf().posts()).toEqual([]);
    expect(await stackOf().pushed(id, article.id, { force: true })).toMatchObject({ status: 'succeeded' });
    expect((await only()).slug).toBe(article.slug);
  });

  test('what was deleted there and then removed is a post again', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    await stackOf().pushed(id, article.id);
    await remoteOf().remove(article.slug);
    await stackOf().request('POST', `/articles/${article.id}/unpublish`);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded', remote_url: null });
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    await stackOf().request('POST', `/articles/${article.id}/publish`);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(await only()).toMatchObject({ slug: article.slug, shown: true });
  });

  test('a post of somebody else with the same slug is left alone, unless forced', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    await remoteOf().add(article.slug);
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'diverged' });
    expect((await only()).title).not.toBe(article.title);
    expect(await stackOf().pushed(id, article.id, { force: true })).toMatchObject({ status: 'succeeded' });
    expect((await only()).title).toBe(article.title);
  });

  test.each([
    ['any', {}],
    ['one that is cut at a hyphen', { slug: `${'s'.repeat(184)}-${'s'.repeat(10)}` }],
    ['the longest', { title: 't'.repeat(300), slug: 's'.repeat(200) }],
  ])(
    'after a lost answer a post of %s title and slug is known again, and there is one',
    async (_, values) => {
      const { id } = await connect();
      const article = await stackOf().publish({ content: 'Tom & Jerry <3 “quotes”', ...values });
      const lost = async (shown: boolean) => {
        await stackOf().forgetLimits();
        await remoteOf().losesAnswers(true);
        const push = await stackOf().push(id, [article.id]);
        const { nextAt } = await stackOf().work(id);
        await remoteOf().losesAnswers(false);
        expect((await stackOf().items(push.id))[0]).toMatchObject({ status: 'waiting', attempts: 1 });
        expect((await only()).shown).toBe(shown);
        stackOf().clock.advanceTo(new Date(nextAt as string));
        await stackOf().work(id);
        expect((await stackOf().items(push.id))[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
        expect((await only()).shown).toBe(shown);
      };
      await lost(true);
      await patch(article, { title: 'Another & title', content: 'Other text & more' });
      await lost(true);
      expect((await only()).title).toBe('Another & title');
      await stackOf().request('POST', `/articles/${article.id}/unpublish`);
      await lost(false);
    },
  );

  test('a post that was created, unseen, and whose article has changed since is one post', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    await remoteOf().losesAnswers(true);
    const push = await stackOf().push(id, [article.id]);
    const { nextAt } = await stackOf().work(id);
    await remoteOf().losesAnswers(false);
    await patch(article, { title: 'Another title', slug: `${article.slug}-moved` });
    stackOf().clock.advanceTo(new Date(nextAt as string));
    await stackOf().work(id);
    expect((await stackOf().items(push.id))[0]).toMatchObject({ status: 'succeeded' });
    expect(await only()).toMatchObject({ title: 'Another title', slug: `${article.slug}-moved` });
  });

  test('a write that fails after one whose answer was lost leaves a post that is still known', async () => {
    const { id } = await connect();
    const article = await stackOf().publish();
    const workAt = (nextAt: string | null, ports = {}) => {
      stackOf().clock.advanceTo(new Date(nextAt as string));
      return stackOf().work(id, ports);
    };
    const failsTwice = async (name: string) => {
      await stackOf().forgetLimits();
      await remoteOf().losesAnswers(true);
      const push = await stackOf().push(id, [article.id]);
      const lost = await stackOf().work(id);
      await remoteOf().losesAnswers(false);
      await patch(article, { title: `${name} later`, slug: `${article.slug}-${name}` });
      const refuses = refusedWrites(stackOf().ports, () => remoteOf().answers(503));
      const refused = await workAt(lost.nextAt, refuses);
      remoteOf().answers(null);
      await patch(article, { title: `${name} last` });
      await workAt(refused.nextAt);
      expect((await stackOf().items(push.id))[0]).toMatchObject({ status: 'succeeded', attempts: 3 });
      expect(await only()).toMatchObject({ title: `${name} last`, slug: `${article.slug}-${name}` });
    };
    await failsTwice('created');
    await patch(article, { title: 'In between' });
    await failsTwice('updated');
  });

  test('429 with Retry-After is waited out', async () => {
    stackOf().clock.freeze();
    const { id } = await connect();
    const article = await stackOf().publish();
    remoteOf().answers(429, { 'retry-after': '120' });
    const push = await stackOf().push(id, [article.id]);
    const { nextAt } = await stackOf().work(id);
    expect(Date.parse(nextAt as string)).toBe(stackOf().clock.now().getTime() + 120_000);
    remoteOf().answers(null);
    stackOf().clock.advance(120_000);
    await stackOf().work(id);
    expect((await stackOf().items(push.id))[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  test('revoked credentials fail the item, and the connection says what to do', async () => {
    const { id } = await connect();
    await remoteOf().revoke();
    const item = await stackOf().pushed(id, (await stackOf().publish()).id);
    expect(item).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringContaining('PATCH /delivery/connections/{id}'),
    });
    expect(await lastError(id)).toBe(item.error);
    const { data } = await stackOf().request('POST', `/delivery/connections/${id}/test`);
    expect(data).toEqual({ ok: false, message: item.error });
  });

  test('the test of a connection writes nothing', async () => {
    const { id } = await connect();
    const { data } = await stackOf().request('POST', `/delivery/connections/${id}/test`);
    expect(data).toEqual({ ok: true, message: expect.any(String) });
    expect(remoteOf().writes()).toBe(0);
  });

  /** An image of the Site. */
  const uploaded = async () => {
    const { api, tenant } = stackOf();
    const image = new Uint8Array(await noise(8, 8).png().toBuffer());
    const uploadId = await uploadBytes(api, tenant.secretKey, image, { content_type: 'image/png' });
    const { data: asset } = await registerUpload(api, tenant.secretKey, uploadId);
    return { image, asset };
  };

  test('images of the Site go along, each once, and others keep their addresses', async () => {
    const { id } = await connect();
    const { image, asset } = await uploaded();
    const elsewhere = 'https://images.example.com/a.png';
    const content = `![A photo](${asset.url}) ![](${elsewhere}) ![](${asset.url}?width=320)`;
    const article = await stackOf().publish({ content, featured_image_url: asset.url });
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded', error: null });
    expect(await remoteOf().images()).toEqual([Buffer.from(image)]);
    expect((await only()).html).not.toContain(asset.url);
    expect((await only()).html).toContain(elsewhere);
    await stackOf().pushed(id, (await stackOf().publish({ content })).id);
    expect(await remoteOf().images()).toHaveLength(1);
  });

  test('an article whose images storage does not hand out waits as after any failed attempt', async () => {
    const { id } = await connect();
    const { image, asset } = await uploaded();
    const article = await stackOf().publish({ content: `![A photo](${asset.url})` });
    const push = await stackOf().push(id, [article.id]);
    const { objects } = stackOf().ports;
    const { read } = createTestObjects(`http://127.0.0.1:${await freePort()}`);
    const { nextAt } = await stackOf().work(id, { objects: { ...objects, read } });
    expect((await stackOf().items(push.id))[0]).toMatchObject({
      status: 'waiting',
      attempts: 1,
      error: expect.stringContaining('this service'),
    });
    expect(await lastError(id)).toBeNull();
    stackOf().clock.advanceTo(new Date(nextAt as string));
    await stackOf().work(id);
    const [item] = await stackOf().items(push.id);
    expect(item).toMatchObject({ status: 'succeeded', attempts: 2, error: null });
    expect(await remoteOf().images()).toEqual([Buffer.from(image)]);
  });

  test('long titles, slugs and excerpts are accepted', async () => {
    const { id } = await connect();
    const values = { excerpt: 'e'.repeat(400), seo_title: 't'.repeat(100) };
    const article = await stackOf().publish({ title: 'ü'.repeat(190), ...values });
    expect(await stackOf().pushed(id, article.id)).toMatchObject({ status: 'succeeded', error: null });
  });
}
