/**
 * What a program does with the SDK, in any runtime: only its globals are used.
 *
 * @returns what it saw
 */
export async function scenario(sdk, { baseUrl, apiKey, png, webhook }) {
  const { Presswork, PressworkError, uploadMedia, verifyWebhook } = sdk;
  const presswork = new Presswork({ apiKey, baseUrl });
  const codeOf = (promise) =>
    promise.then(
      () => 'none',
      (error) => (error instanceof PressworkError ? error.code : String(error)),
    );
  const first = await presswork.articles.create({ title: 'One' });
  const second = await presswork.articles.update(first.id, { title: 'Two' }, { ifMatch: first });
  await presswork.articles.create({ title: 'Three' });
  const titles = [];
  for await (const { title } of presswork.articles.list({ limit: 1, order: 'created_at.desc' }))
    titles.push(title);
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const progress = [];
  const asset = await uploadMedia(presswork, new Blob([bytes], { type: 'image/png' }), {
    onProgress: ({ sentBytes }) => progress.push(sentBytes),
  });
  const stale = await codeOf(presswork.articles.update(first.id, { title: 'Lost' }, { ifMatch: first }));
  const deleted = await presswork.articles.delete(first.id);
  return {
    titles,
    newer: second.meta.etag !== first.meta.etag,
    keys: Object.keys(deleted),
    remaining: typeof deleted.meta.rateLimit.remaining,
    stale,
    invalid: await codeOf(presswork.articles.create({ slug: 'Not a slug' })),
    unreachable: await codeOf(new Presswork({ baseUrl: 'http://127.0.0.1:9/v1', maxRetries: 0 }).ping()),
    aborted: await codeOf(presswork.ping({ signal: AbortSignal.abort(new Error('ended')) })),
    uploaded: [asset.mime_type, progress[0] === 0, progress.at(-1) === bytes.length],
    event: (await verifyWebhook(webhook.body, webhook.headers, webhook.secret)).event,
    forged: await codeOf(verifyWebhook(`${webhook.body} `, webhook.headers, webhook.secret)),
  };
}

export const expected = {
  titles: ['Three', 'Two'],
  newer: true,
  keys: [],
  remaining: 'number',
  stale: 'PRECONDITION_FAILED',
  invalid: 'VALIDATION_FAILED',
  unreachable: 'CONNECTION_FAILED',
  aborted: 'Error: ended',
  uploaded: ['image/png', true, true],
  event: 'ping',
  forged: 'INVALID_WEBHOOK',
};
