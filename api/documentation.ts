import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { BASE_PATH } from './base-path.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';
import type { Ports } from './ports.ts';
import { parseQuery } from './query-string.ts';

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Presswork API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, docExpansion: 'list' });\n`;

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Static {
  readonly type: string;
  readonly read: (ports: Ports) => string;
}

const asset = (name: string) => (): string => readFileSync(join(assets, name), 'utf8');
const document = ({ publicUrl }: Ports): string =>
  JSON.stringify(openApiDocument(operations, (publicUrl ?? '') + BASE_PATH));

const documents = ['/openapi.json', `${BASE_PATH}/openapi.json`];
const openApi: Static = { type: 'application/json', read: document };
const pages: ReadonlyMap<string, Static> = new Map<string, Static>([
  ...documents.map((path) => [path, openApi] as const),
  ['/docs', { type: 'text/html', read: () => page }],
  ['/docs/start.js', { type: 'text/javascript', read: () => start }],
  ['/docs/swagger-ui.css', { type: 'text/css', read: asset('swagger-ui.css') }],
  ['/docs/swagger-ui-bundle.js', { type: 'text/javascript', read: asset('swagger-ui-bundle.js') }],
]);

/** Where they are. */
export const documentationPaths: readonly string[] = [...pages.keys()];

/** The OpenAPI document and a reference to browse, from this origin alone (decisions 12). No key. */
export function documentation(ports: Ports): Middleware {
  const bodies = new Map<Static, string>();
  const bodyOf = (found: Static): string => {
    const body = bodies.get(found) ?? found.read(ports);
    bodies.set(found, body);
    return body;
  };
  return async (ctx, next) => {
    if (documents.includes(ctx.path) && openMethods.includes(ctx.method)) openToAllOrigins(ctx);
    const found = ctx.method === 'GET' || ctx.method === 'HEAD' ? pages.get(ctx.path) : undefined;
    if (found === undefined) return next();
    ctx.state.measuredAs = 'documentation';
    if (documents.includes(ctx.path)) parseQuery(ctx.querystring, undefined);
    if (ctx.path.startsWith('/docs')) {
      ctx.set('Content-Security-Policy', contentSecurityPolicy);
      ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    }
    ctx.type = found.type;
    ctx.body = bodyOf(found);
  };
}

const openMethods = ['GET', 'HEAD', 'OPTIONS'];

/** For tools in a browser that show or make clients of a document they are given the address of. */
function openToAllOrigins(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
}
