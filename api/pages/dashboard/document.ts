import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import type { Context } from 'koa';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { html } from '../../http/html.ts';
import type { Ports } from '../../framework/ports.ts';
import { languageOf } from '../sign-in/language.ts';
import { layout } from '../sign-in/layout.ts';
import { errorPageIn } from '../sign-in/page.ts';
import type { Asset } from '../../framework/dashboard-files.ts';

const ASSETS = '/dashboard/assets/';
const A_YEAR_S = 31_536_000;

/** Sends a file whose name contains its hash, so that it never changes. */
export function sendAsset(ctx: Context, { dashboard }: Ports): void {
  const name = ctx.path.slice(ASSETS.length);
  const asset = dashboard?.assets.get(name);
  if (asset === undefined) throw new ServiceError('NOT_FOUND', 'The dashboard has no such file.');
  ctx.set('Cache-Control', `public, max-age=${A_YEAR_S}, immutable`);
  ctx.vary('Accept-Encoding');
  const encoding = encodingOf(ctx, asset);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.type = extname(name);
  ctx.body = asset[encoding];
}

export const isAsset = (path: string): boolean => path.startsWith(ASSETS);

const encodingOf = (ctx: Context, asset: Asset): keyof Asset =>
  (['br', 'gzip'] as const).find(
    (name) => asset[name] !== undefined && ctx.acceptsEncodings(name) === name,
  ) ?? 'identity';

/** Creates the middleware that sends the dashboard's document, the same for each of its addresses. */
export function createDocument(ports: Ports): (ctx: Context) => Promise<void> {
  const origins = once(() => otherOrigins(ports));
  return async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Referrer-Policy', 'same-origin');
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    ctx.vary('Accept');
    if (ports.dashboard === null) return sayNotBuilt(ctx);
    ctx.state.errorPage = errorPageIn(languageOf(ctx), '/');
    const nonce = randomBytes(16).toString('base64');
    ctx.set('Content-Security-Policy', policy(nonce, await origins()));
    ctx.type = 'text/html';
    ctx.body = ports.dashboard.document.replaceAll('__CSP_NONCE__', nonce);
  };
}

interface Origins {
  /** Where media are uploaded to. */
  readonly uploads: string;
  /** Where they are shown from. */
  readonly media: string;
}

/** Signing an address sends no request. */
async function otherOrigins({ objects }: Ports): Promise<Origins> {
  const probe = { key: 'probe', contentType: 'image/png', sizeBytes: 1, expiresInSeconds: 1 };
  const { url } = await objects.presignUpload(probe);
  return { uploads: new URL(url).origin, media: new URL(objects.urlOf('')).origin };
}

/** Mantine writes its style sheets with the nonce. */
const policy = (nonce: string, { uploads, media }: Origins): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' ${media} data: blob:`,
    "font-src 'self'",
    `connect-src 'self' ${uploads}`,
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const notBuilt = {
  en: {
    title: 'The dashboard has not been built',
    text: 'The API works. The dashboard is built by npm start, and is part of the image; DASHBOARD_FOLDER names another place.',
  },
  de: {
    title: 'Das Dashboard ist nicht gebaut',
    text: 'Die API funktioniert. Das Dashboard wird von npm start gebaut und ist Teil des Images; DASHBOARD_FOLDER nennt einen anderen Ort.',
  },
};

function sayNotBuilt(ctx: Context): void {
  const language = languageOf(ctx);
  const { title, text } = notBuilt[language];
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'",
  );
  ctx.status = 503;
  ctx.set('Retry-After', '60');
  ctx.type = 'text/html';
  const main = html`<h1>${title}</h1>
    <p>${text}</p>`;
  ctx.body = layout({ title, main, language, root: '/' });
}

/** Makes a value when it is first needed, and keeps it unless that failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
