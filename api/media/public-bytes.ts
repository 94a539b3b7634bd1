import type { Middleware } from 'koa';
import { ServiceError } from '../../domain/errors.ts';
import { publicTypes } from '../../storage/inspect-image.ts';
import type { Ports } from '../ports.ts';

const form = /^\/(public\/[0-9a-f-]{36}\/(?:blog-images|author-avatars)\/[0-9a-f-]{36}\.([a-z]{3,4}))$/;

/**
 * Serves registered images: the bytes as they were uploaded, with their true type (decisions 6). They pass
 * through as a stream. A cache or a bucket's own public address can take its place by MEDIA_PUBLIC_URL. No key.
 */
export function publicBytes({ objects }: Ports): Middleware {
  return async (ctx, next) => {
    const [, key, extension = ''] = form.exec(ctx.path) ?? [];
    const type = publicTypes[extension];
    if (key === undefined || type === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    const object = await objects.stream(key);
    if (object === null)
      throw new ServiceError('NOT_FOUND', 'There is no such image. It may have been deleted.');
    ctx.type = type;
    ctx.length = object.size;
    ctx.set('ETag', object.etag);
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (ctx.method === 'HEAD' || ctx.get('If-None-Match') === object.etag) {
      object.body.destroy();
      ctx.status = ctx.method === 'HEAD' ? 200 : 304;
      return;
    }
    ctx.body = object.body;
  };
}
