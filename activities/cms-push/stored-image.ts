import type { StoredImage } from '../../domain/cms/adapter.ts';
import { findAssetByKey } from '../../domain/media/asset.ts';
import { UPLOAD_LIMIT } from '../../domain/media/reservation.ts';
import type { Ports } from '../ports.ts';

/** Time for storage to answer with a whole image. */
const TIMEOUT_MS = 15_000;

/** The image of a Site's media that a URL shows, in whatever size; null for any other URL. */
export async function readStoredImage(
  { db, objects }: Pick<Ports, 'db' | 'objects'>,
  siteId: string,
  url: string,
): Promise<StoredImage | null> {
  const base = objects.urlOf('');
  const [address = ''] = url.split(/[?#]/);
  if (!address.startsWith(base)) return null;
  const asset = await findAssetByKey(db, siteId, decoded(address.slice(base.length)));
  if (asset === null) return null;
  const stored = await objects.read(asset.object_key, UPLOAD_LIMIT, TIMEOUT_MS);
  if (stored === null) return null;
  const { file_name: fileName, mime_type: mimeType, alt_text: altText } = asset;
  return { fileName, mimeType, altText, bytes: stored.bytes };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
