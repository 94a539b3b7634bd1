import type { Asset } from './asset.ts';
import { srcsetOf } from './variant.ts';

/** An asset as the API shows it (docs/spec/service-api.md, Media asset). */
export const presentAsset = (asset: Asset, urlOf: (key: string) => string) => ({
  id: asset.id,
  bucket: asset.bucket,
  url: urlOf(asset.object_key),
  srcset: srcsetOf(urlOf(asset.object_key), asset),
  file_name: asset.file_name,
  mime_type: asset.mime_type,
  size_bytes: asset.size_bytes,
  width: asset.width,
  height: asset.height,
  alt_text: asset.alt_text,
  created_at: asset.created_at.toISOString(),
});
