import type { Middleware } from 'koa';
import { isRegistered } from '../../domain/media/asset.ts';
import { ServiceError } from '../../domain/errors.ts';
import { publicTypes } from '../../storage/inspect-image.ts';
import type { Ports } from '../ports.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.source;
/** A Site's folder, or the Site's id, under which images of before lie. */
const folder = `(?:[0-9a-f]{32}|${uuid})`;
const form = new RegExp(`^/(public/${folder}/(?:blog-images|author-avatars)/${uuid}\\.([a-z]{3,4}))$`);

/**
 * Serves registered images: the bytes as they were uploaded, with their true type (decisions 6). They pass
 * through as a stream. A cache or a bucket's own public address can take its place by MEDIA_PUBLIC_URL. No key.
 *
 * The row decides, not the bytes: they lie there a moment before a registration is committed, and after a deletion
 * for as long as storage is away.
 */
export function publicBytes({ db, objects }: Ports): Middleware {
  return async (ctx, next) => {
    const [, key, extension = ''] = form.exec(ctx.path) ?? [];
    const type = publicTypes[extension];
    if (key === undefined || type === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    ctx.state.measuredAs = 'image';
    const object = (await isRegistered(db, key)) ? await objects.stream(key) : null;
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
