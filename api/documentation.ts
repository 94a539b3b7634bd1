import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Middleware } from 'koa';
import { BASE_PATH } from './base-path.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';
import type { Ports } from './ports.ts';

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
  readonly body: string;
}

/** The OpenAPI document and a reference to browse, from this origin alone (decisions 12). No key. */
export function documentation({ publicUrl }: Ports): Middleware {
  const pages = new Map<string, () => Static>();
  const add = (path: string, type: string, read: () => string): void => {
    let body: string | undefined;
    pages.set(path, () => ({ type, body: (body ??= read()) }));
  };
  const document = (): string => JSON.stringify(openApiDocument(operations, (publicUrl ?? '') + BASE_PATH));
  add('/openapi.json', 'application/json', document);
  add(`${BASE_PATH}/openapi.json`, 'application/json', document);
  add('/docs', 'text/html', () => page);
  add('/docs/start.js', 'text/javascript', () => start);
  for (const [name, type] of [
    ['swagger-ui.css', 'text/css'],
    ['swagger-ui-bundle.js', 'text/javascript'],
  ] as const) {
    add(`/docs/${name}`, type, () => readFileSync(join(assets, name), 'utf8'));
  }
  return async (ctx, next) => {
    const found = ctx.method === 'GET' || ctx.method === 'HEAD' ? pages.get(ctx.path) : undefined;
    if (found === undefined) return next();
    ctx.state.measuredAs = 'documentation';
    const { type, body } = found();
    ctx.type = type;
    if (ctx.path.startsWith('/docs')) {
      ctx.set('Content-Security-Policy', contentSecurityPolicy);
      ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    } else {
      // For tools in a browser that show or make clients of a document they are given the address of.
      ctx.set('Access-Control-Allow-Origin', '*');
      ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    }
    ctx.body = body;
  };
}
