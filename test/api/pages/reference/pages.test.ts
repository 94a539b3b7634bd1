import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseHTML } from 'linkedom';
import { documentationPaths } from '../../../../api/pages/documentation.ts';
import { sdkNameOf } from '../../../../api/framework/openapi/sdk-names.ts';
import { operations } from '../../../../api/operations.ts';
import { useApi } from '../../../support/api.ts';
import { buildKey, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

/** What is read of a page; the compiler's library for Node has no types of documents. */
interface Element {
  readonly id: string;
  readonly textContent: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

interface Document extends Element {
  getElementById(id: string): Element | null;
}

const api = await useApi();
let tenant: Tenant;
let documents: ReadonlyMap<string, Document>;

const isPage = (path: string): boolean => path.startsWith('/docs') && !/\.\w+$/.test(path);

beforeAll(async () => {
  tenant = await buildTenant(api.db);
  const read = async (path: string) => {
    const { text } = await api.request('GET', api.origin + path);
    return [path, parseHTML(text).document as Document] as const;
  };
  documents = new Map(await Promise.all(documentationPaths.filter(isPage).map(read)));
});

/** The code of an operation's examples, by their label. */
function examplesOf(id: string): ReadonlyMap<string, string> {
  const sections = [...documents.values()]
    .flatMap((page) => [...page.querySelectorAll(`section#${id}`)])
    // An event may have the same name.
    .filter((section) => section.querySelector('[data-label=curl]') !== null);
  expect([id, sections.length]).toEqual([id, 1]);
  const samples = [...(sections[0]?.querySelectorAll('.sample') ?? [])];
  return new Map(
    samples.map((sample) => [
      sample.getAttribute('data-label') ?? '',
      sample.querySelector('code')?.textContent ?? '',
    ]),
  );
}

test('every operation is on one page, with its examples and codes', () => {
  for (const operation of operations) {
    const examples = examplesOf(operation.id);
    expect([operation.id, [...examples.keys()].slice(0, 2)]).toEqual([operation.id, ['curl', 'SDK']]);
    expect(examples.get('curl')).toContain(`${api.origin}/v1/`);
    const { resource, name } = sdkNameOf(operation.id, operation.path);
    expect(examples.get('SDK')).toContain(
      `presswork.${resource === undefined ? '' : `${resource}.`}${name}(`,
    );
    const shown = [...documents.values()].map((page) => page.querySelector(`#${operation.id}`)?.textContent);
    for (const code of operation.errors) expect(shown.join()).toContain(code);
  }
});

test('every link leads to a page, and to a place on it', () => {
  let followed = 0;
  for (const [path, page] of documents) {
    const ids = [...page.querySelectorAll('[id]')].map(({ id }) => id);
    expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []]);
    for (const link of page.querySelectorAll('a[href]')) {
      const url = new URL(link.getAttribute('href') ?? '', api.origin + path);
      if (url.origin !== api.origin) continue;
      expect(documentationPaths).toContain(url.pathname);
      if (url.hash === '') continue;
      followed += 1;
      const target = documents.get(url.pathname)?.getElementById(decodeURIComponent(url.hash.slice(1)));
      expect([path, url.href, target !== null]).toEqual([path, url.href, true]);
    }
  }
  expect(followed).toBeGreaterThan(operations.length);
});

test('the SDK answers no approval: an example of it shows the result, or none', () => {
  expect(examplesOf('deleteArticle').get('SDK')).toMatch(
    /^await presswork\.articles\.delete\('[\w-]{36}'\);$/m,
  );
  expect(examplesOf('startPipelineRun').get('SDK')).toContain('const pipelineRun = await');
});

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

(has('curl') ? test : test.skip)('the examples for curl are requests that the API understands', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-'));
  try {
    const uuidgen = join(folder, 'uuidgen');
    writeFileSync(uuidgen, '#!/bin/sh\necho $$-example\n');
    chmodSync(uuidgen, 0o755);
    for (const { id } of operations) {
      // Its own, since they are more than a key may ask for in a minute.
      const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId);
      const env = { PATH: `${folder}:${process.env['PATH']}`, PRESSWORK_KEY: secret };
      const command = (examplesOf(id).get('curl') ?? '').replace('curl ', "curl -s -w '\\n%{http_code}' ");
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
      const [status = '', body] = stdout.trimEnd().split('\n').toReversed();
      expect([id, status, [200, 201, 202, 204, 404, 409, 422].includes(Number(status)), body]).toEqual([
        id,
        status,
        true,
        body,
      ]);
      // The examples name objects that do not exist here, but no member that does not exist anywhere.
      if (status === '422') expect(body).not.toContain('the field is unknown');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a page is sent compressed, and not again while it is the same', async () => {
  const paths = documentationPaths.filter((path) => path.startsWith('/docs'));
  for (const path of paths) {
    const ask = (headers: Record<string, string>, method = 'GET') =>
      fetch(api.origin + path, { method, headers });
    const plain = await ask({ 'accept-encoding': 'identity' });
    const text = await plain.text();
    const etag = plain.headers.get('etag') ?? '';
    expect([path, plain.headers.get('content-encoding'), etag]).toEqual([
      path,
      null,
      expect.stringMatching(/^W\/"[\w-]{22}"$/),
    ]);
    for (const encoding of ['br', 'gzip']) {
      const answer = await ask({ 'accept-encoding': encoding });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(await answer.text()).toBe(text);
    }
    const browsers = await ask({ 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(browsers.headers.get('content-encoding')).toBe('br');
    await browsers.text();
    for (const method of ['GET', 'HEAD']) {
      const same = await ask({ 'if-none-match': etag }, method);
      expect([path, same.status, await same.text(), same.headers.get('etag')]).toEqual([path, 304, '', etag]);
    }
    expect((await ask({ 'if-none-match': 'W/"other"' })).status).toBe(200);
  }
});

test('the policy of a page allows nothing inline, nothing evaluated and no other host', async () => {
  for (const path of documentationPaths.filter((path) => path.startsWith('/docs'))) {
    const { headers, text } = await api.request('GET', api.origin + path);
    const policy = headers.get('content-security-policy');
    expect([path, policy]).toEqual([
      path,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    ]);
    if (isPage(path))
      expect(text).not.toMatch(/ style=| on\w+=|<style|<script(?! type="module" src="\/docs\/)/);
  }
});

test('the index of the search is small, and has every operation', async () => {
  const { text } = await api.request('GET', `${api.origin}/docs/search.json`);
  expect(text.length).toBeLessThan(120_000);
  for (const { id } of operations) expect(text).toContain(`#${id}"`);
});
