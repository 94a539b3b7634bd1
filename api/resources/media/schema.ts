import { z } from 'zod';
import { UPLOAD_LIMIT } from '../../../domain/media/reservation.ts';
import { altText } from '../../../packages/base/content.ts';
import { mediaBuckets } from '../../../packages/base/public-images.ts';
import { id, isoTime, pageOf, uuid } from '../../../packages/base/fields.ts';
import { cursor, fields, limit, search, webSearch } from '../../framework/schema/query.ts';
import {
  assetExample,
  mediaUpdateExample,
  registerExample,
  reservationExample,
  uploadRequestExample,
} from './examples.ts';

const bucket = z.enum(mediaBuckets);

export const UploadRequest = z
  .strictObject({
    file_name: z.string().meta({
      description:
        'Of any length. Only the last path segment is kept, and only its letters, digits, dots, hyphens and underscores.',
    }),
    content_type: z.enum(['image/webp', 'image/png', 'image/jpeg', 'image/gif', 'image/avif']),
    size_bytes: z
      .int()
      .min(1, { error: 'must be at least 1' })
      .max(UPLOAD_LIMIT, { error: `must be at most ${UPLOAD_LIMIT}` })
      .optional(),
    bucket: bucket.default('blog-images'),
  })
  .meta({ id: 'UploadRequest', examples: [uploadRequestExample] });

export const UploadReservation = z
  .strictObject({
    upload_id: id,
    upload_url: z.string().nullable(),
    upload_url_replayable: z.boolean(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()),
    expires_at: isoTime,
    max_size_bytes: z.int(),
  })
  .meta({ id: 'UploadReservation', examples: [reservationExample] });

export const RegisterMedia = z
  .strictObject({ upload_id: uuid, alt_text: altText.optional() })
  .meta({ id: 'RegisterMedia', examples: [registerExample] });

export const MediaUpdate = z
  .strictObject({ alt_text: altText })
  .partial()
  .meta({ id: 'MediaUpdate', examples: [mediaUpdateExample] });

export const MediaAsset = z
  .strictObject({
    id,
    bucket,
    url: z.string(),
    srcset: z.string().meta({
      description:
        'The addresses of smaller versions with their widths, and of the image itself, for the attribute `srcset`. An animated image has itself alone.',
    }),
    file_name: z.string().nullable(),
    mime_type: z.string().nullable(),
    size_bytes: z.int().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    alt_text: z.string().nullable(),
    created_at: isoTime,
  })
  .meta({ id: 'MediaAsset', examples: [assetExample] });

export const MediaPage = pageOf(
  MediaAsset.partial()
    .required({ id: true })
    .meta({ id: 'PartialMediaAsset', examples: [assetExample] }),
).meta({
  id: 'MediaPage',
});

export const MediaQuery = z.strictObject({
  cursor,
  limit: limit(),
  fields: fields(Object.keys(MediaAsset.shape)),
  bucket: bucket.optional().describe('Images in this bucket.'),
  q: search(
    `Images with this in file name or alt text. File names are split at dots, hyphens and underscores. ${webSearch}`,
  ),
});
