import type { Context, Middleware } from 'koa';
import { isRegistered } from '../../../domain/media/asset.ts';
import { publicImageKey } from '../../../packages/base/public-images.ts';
import { givesOriginal, variantKey } from '../../../domain/media/variant.ts';
import type { Variant } from '../../../domain/media/variant.ts';
import { findImage } from '../../../domain/media/variant-rows.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { publicTypes } from '../../../adapters/images/image-types.ts';
import type { ObjectFacts, ObjectStore } from '../../../adapters/storage/objects.ts';
import { clientGone } from '../../http/client-gone.ts';
import type { CountKeylessAnswer } from '../../framework/keyless-answers.ts';
import type { Ports } from '../../framework/ports.ts';
import { matchesNone } from '../../http/preconditions.ts';
import { createImageSlots } from '../../resources/media/image-slots.ts';
import type { TakeSlot } from '../../resources/media/image-slots.ts';
import { createMakeVariant } from './make-variant.ts';
import type { MakeVariant } from './make-variant.ts';
import { cutSlowReader } from './slow-readers.ts';
import { readVariant } from './variant-query.ts';

const form = new RegExp(`^/(${publicImageKey})$`);

/** The parts of the path of a public image; null for any other path. */
function readPath(
  path: string,
): { readonly key: string; readonly extension: string; readonly type: string } | null {
  const [, key, , extension = ''] = form.exec(path) ?? [];
  const type = publicTypes[extension];
  return key === undefined || type === undefined ? null : { key, extension, type };
}

/** Whether a path is one of a public image. */
export const isPublicImage = (path: string): boolean => readPath(path) !== null;

/**
 * Serves registered images without a key: the bytes as they were uploaded, with their detected type
 * (docs/spec/rulings.md, 6), or a smaller version (docs/spec/rulings.md, 20). They are streamed.
 *
 * MEDIA_PUBLIC_URL can name a cache or a public bucket instead. Images are still served here: the cache may read from
 * here, and articles may contain older addresses.
 *
 * The database row decides whether an image exists. Its bytes exist shortly before the registration is committed, and
 * after a deletion for as long as storage is unavailable.
 */
export function publicBytes(ports: Ports, count: CountKeylessAnswer): Middleware {
  const { db, objects, clientAddress } = ports;
  const takeSlot = createImageSlots(clientAddress);
  const makeVariant = createMakeVariant(ports);
  return async (ctx, next) => {
    const image = readPath(ctx.path);
    if (image === null || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const { key, extension, type } = image;
    ctx.state.measuredAs = 'image';
    count(ctx);
    const variant = readVariant(ctx, extension);
    if (variant === null && !(await isRegistered(db, key))) noSuchImage();
    const given = variant === null ? { key } : await findGiven(ports, makeVariant, key, variant);
    await send(
      ctx,
      objects,
      given,
      publicTypes[given.key.slice(given.key.lastIndexOf('.') + 1)] ?? type,
      takeSlot,
    );
  };
}

/** The object under a key, and how long caches may have it; without a time, for ever. */
interface Given {
  readonly key: string;
  readonly seconds?: number;
}

/** How long caches have an image that is given for a variant that rests, in seconds. */
const RESTING_S = 3_600;

/** A variant that is there now, or the image if that is given in its place. */
async function findGiven(
  { db, clock }: Ports,
  makeVariant: MakeVariant,
  key: string,
  variant: Variant,
): Promise<Given> {
  const image = (await findImage(db, key, variant, clock.now())) ?? noSuchImage();
  if (givesOriginal(image, variant)) return { key };
  const outcome = image.outcome ?? (await makeVariant(image, variant)) ?? noSuchImage();
  if (outcome === 'resting') return { key, seconds: RESTING_S };
  return { key: outcome === 'stored' ? variantKey(key, variant) : key };
}

async function send(
  ctx: Context,
  objects: ObjectStore,
  { key, seconds }: Given,
  type: string,
  takeSlot: TakeSlot,
): Promise<void> {
  const gone = clientGone(ctx);
  try {
    // Held until the client has received the last byte.
    const release = await takeSlot(ctx, gone);
    if (gone.aborted) release();
    gone.addEventListener('abort', release);
    const known = ctx.get('If-None-Match');
    if (ctx.method === 'HEAD' || known !== '') {
      const facts = (await objects.describe(key, gone)) ?? noSuchImage();
      const isKnown = known !== '' && matchesNone(known, facts.etag.slice(1, -1));
      if (ctx.method === 'HEAD' || isKnown) {
        setHeaders(ctx, type, facts, seconds);
        ctx.status = isKnown ? 304 : 200;
        return;
      }
    }
    const object = (await objects.stream(key, gone)) ?? noSuchImage();
    if (gone.aborted) object.body.destroy();
    gone.addEventListener('abort', () => object.body.destroy());
    setHeaders(ctx, type, object, seconds);
    ctx.body = object.body;
    cutSlowReader(ctx.req, gone);
  } catch (error) {
    // The client has disconnected, so this is not a failure of storage.
    gone.throwIfAborted();
    throw error;
  }
}

function setHeaders(ctx: Context, type: string, { size, etag }: ObjectFacts, seconds?: number): void {
  ctx.type = type;
  ctx.length = size;
  ctx.set('ETag', etag);
  const lasts = seconds === undefined ? 'max-age=31536000, immutable' : `max-age=${seconds}`;
  ctx.set('Cache-Control', `public, ${lasts}`);
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** @throws ServiceError NOT_FOUND */
function noSuchImage(): never {
  throw new ServiceError('NOT_FOUND', 'This image does not exist. It may have been deleted.');
}
