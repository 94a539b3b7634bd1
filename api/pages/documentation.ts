import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { BASE_PATH } from '../http/base-path.ts';
import type { CountKeylessAnswer } from '../framework/keyless-answers.ts';
import type { Json } from '../framework/openapi/schemas.ts';
import { etagOf, matchesNone, versionOfBody } from '../http/preconditions.ts';
import { parseQuery } from '../http/query-string.ts';
import { describeDocument } from './reference/described.ts';
import type { Described } from './reference/described.ts';
import { HOME } from './reference/addresses.ts';
import { pages } from './reference/pages.ts';

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Several files are sent as one. */
const file = (...parts: readonly URL[]): (() => string) => {
  const text = parts.map((part) => readFileSync(part, 'utf8')).join('\n');
  return () => text;
};

/** Everything below /docs, and its maker. */
const files: ReadonlyMap<string, (described: Described) => string> = new Map([
  ...pages,
  [
    `${HOME}/style.css`,
    file(
      new URL('reference/browser/base.css', import.meta.url),
      new URL('reference/browser/frame.css', import.meta.url),
      new URL('reference/browser/content.css', import.meta.url),
      new URL('reference/browser/operation.css', import.meta.url),
      new URL('reference/browser/try.css', import.meta.url),
    ),
  ],
  [`${HOME}/icon.svg`, file(new URL('reference/browser/icon.svg', import.meta.url))],
  [`${HOME}/page.js`, file(new URL('reference/browser/page.js', import.meta.url))],
  [`${HOME}/search.js`, file(new URL('reference/browser/search.js', import.meta.url))],
  [`${HOME}/try.js`, file(new URL('reference/browser/try.js', import.meta.url))],
]);

const documents = ['/openapi.json', `${BASE_PATH}/openapi.json`];

/** The paths of the documentation. */
export const documentationPaths: readonly string[] = [...documents, ...files.keys()];

/**
 * Serves the OpenAPI document, and the reference and guide that are made from it, without a key; everything that they
 * load is served here (docs/spec/rulings.md, 12; docs/decisions/0087).
 */
export function documentation(compose: () => Json, count: CountKeylessAnswer): Middleware {
  const document = once(compose);
  const json = once(() => JSON.stringify(document()));
  const described = once(() => describeDocument(document()));
  const bodies = new Map([...files].map(([path, make]) => [path, once(() => encode(make(described())))]));
  return async (ctx, next) => {
    const isDocument = documents.includes(ctx.path);
    if (isDocument && openMethods.includes(ctx.method)) openToAllOrigins(ctx);
    const body = bodies.get(ctx.path);
    if ((!isDocument && body === undefined) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.state.measuredAs = 'documentation';
    count(ctx);
    if (body === undefined) {
      parseQuery(ctx.querystring, undefined);
      ctx.type = 'application/json';
      ctx.body = json();
      return;
    }
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    send(ctx, await body());
  };
}

/** Makes a value when it is first needed, and keeps it. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

interface Encoded {
  readonly version: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

/** Compressed for every later request, and not on the event loop. */
async function encode(text: string): Promise<Encoded> {
  const identity = Buffer.from(text);
  const [zipped, br] = await Promise.all([
    promisify(gzip)(identity, { level: 9 }),
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ]);
  return { version: versionOfBody(identity), identity, gzip: zipped, br };
}

const extension = /\.(\w+)$/;

function send(ctx: Context, encoded: Encoded): void {
  ctx.set('ETag', etagOf(encoded.version));
  ctx.vary('Accept-Encoding');
  if (matchesNone(ctx.headers['if-none-match'], encoded.version)) {
    ctx.status = 304;
    return;
  }
  const encoding = (['br', 'gzip'] as const).find((name) => ctx.acceptsEncodings(name) === name);
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  ctx.type = extension.exec(ctx.path)?.[1] ?? 'html';
  ctx.body = encoded[encoding ?? 'identity'];
}

const openMethods = ['GET', 'HEAD', 'OPTIONS'];

/** Lets browser tools on any origin load the OpenAPI document. */
function openToAllOrigins(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
}
