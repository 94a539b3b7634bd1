import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { inBrowser, usePages } from '../support/browser.ts';
import { buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { noise } from '../support/images.ts';
import { allowBrowsersToUpload } from '../support/objects.ts';
import type * as Sdk from '../../sdk/src/index.ts';
import { installPackedSdk } from '../support/sdk/packed.ts';
import type { PackedSdk } from '../support/sdk/packed.ts';

inBrowser('the installed package, in a page of another origin in Chromium, without a bundler', () => {
  let api: TestApi;
  let tenant: Tenant;
  let sdk: PackedSdk;
  let site: Server;
  let address: string;
  const open = usePages();

  beforeAll(async () => {
    api = await startApi();
    tenant = await buildTenant(api.db);
    for (const title of ['Tea', 'Coffee', 'Cocoa']) await buildPublished(api, tenant.secretKey, { title });
    sdk = await installPackedSdk();
    const modules = join(sdk.folder, 'node_modules/@presswork/sdk/dist');
    site = createServer(({ url = '' }, response) => {
      const script = /^\/sdk(\/.+\.js)$/.exec(url)?.[1];
      if (script === undefined) {
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(
          `<!doctype html><title>A blog</title>
            <script type="module">import * as sdk from '/sdk/index.js'; globalThis.sdk = sdk;</script>`,
        );
      }
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(modules, script)));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    await allowBrowsersToUpload();
  });
  afterAll(async () => {
    site.close();
    sdk.remove();
    await api.close();
  });

  /** Puts the page and its scripts on another origin, too. */
  async function ofOrigin(page: Page, origin: string): Promise<void> {
    const here = ({ origin: asked, pathname }: URL): boolean =>
      asked === origin && /^\/(blog$|sdk\/)/.test(pathname);
    await page.route(here, async (route) => {
      const { pathname } = new URL(route.request().url());
      const response = await page.request.get(new URL(pathname, address).href);
      await route.fulfill({ response });
    });
  }

  test('reads all published articles with a publishable key, and gets errors and rate limits', async () => {
    const page = await open();
    await page.goto(address);
    const seen = await page.evaluate(
      async ({ baseUrl, apiKey }) => {
        const { Presswork, PressworkError } = (globalThis as any).sdk as typeof Sdk;
        const presswork = new Presswork({ baseUrl, apiKey });
        const titles = [];
        for await (const { title } of presswork.articles.list({ limit: 2, fields: ['title'] }))
          titles.push(title);
        const first = await presswork.articles.list({ limit: 1 });
        const article = await presswork.articles.get(first.items[0]!.id);
        const missing = await presswork.articles
          .get('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11')
          .catch((error) => error);
        const signal = AbortSignal.abort(new Error('ended'));
        return {
          titles: titles.toSorted(),
          etag: article.meta.etag !== null && article.meta.requestId !== null,
          limit: first.meta.rateLimit?.limit,
          error: missing instanceof PressworkError && [missing.code, missing.status],
          aborted: await presswork.ping({ signal }).catch((error: Error) => error.message),
        };
      },
      { baseUrl: `${api.origin}/v1`, apiKey: tenant.publishableKey },
    );
    expect(seen).toEqual({
      titles: ['Cocoa', 'Coffee', 'Tea'],
      etag: true,
      limit: 600,
      error: ['NOT_FOUND', 404],
      aborted: 'ended',
    });
  });

  test('an upload tells its progress in between', async () => {
    // Pages that upload are of the API's origin, or of one that both allow.
    const page = await open();
    await ofOrigin(page, api.origin);
    await page.context().grantPermissions(['local-network-access']);
    await page.goto(`${api.origin}/blog`);
    // So slow that there is something in between.
    const session = await page.context().newCDPSession(page);
    const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 4_000_000 };
    await session.send('Network.emulateNetworkConditions', line);
    const png = (await noise(1_000, 700).png().toBuffer()).toString('base64');
    const { sent, asset } = await page.evaluate(
      async ({ baseUrl, apiKey, png }) => {
        const { Presswork, uploadMedia } = (globalThis as any).sdk as typeof Sdk;
        const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
        const sent: number[] = [];
        const asset = await uploadMedia(new Presswork({ baseUrl, apiKey }), bytes, {
          contentType: 'image/png',
          onProgress: ({ sentBytes, totalBytes }) => sent.push(sentBytes / totalBytes),
        });
        return { sent, asset };
      },
      { baseUrl: `${api.origin}/v1`, apiKey: tenant.secretKey, png },
    );
    expect(asset).toMatchObject({ width: 1_000, height: 700 });
    expect([sent[0], sent.at(-1), sent.length > 2]).toEqual([0, 1, true]);
    expect(sent.toSorted((a, b) => a - b)).toEqual(sent);
  });
});
