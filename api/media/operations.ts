import {
  deleteAsset,
  getAsset,
  getAssetForChange,
  listAssets,
  presentAsset,
  updateAltText,
} from '../../domain/media/asset.ts';
import { doomObject } from '../../domain/media/doomed-objects.ts';
import { registerUpload, rejectedUpload } from '../../domain/media/register.ts';
import { reserveUpload, UPLOAD_LIMIT, uploadKey, URL_LIFETIME_MS } from '../../domain/media/reservation.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { created, noContent, ok, page, refusal } from '../reply.ts';
import { project } from '../schema/query.ts';
import { inspectUpload } from './inspect-upload.ts';
import {
  MediaAsset,
  MediaPage,
  MediaQuery,
  MediaUpdate,
  RegisterMedia,
  UploadRequest,
  UploadReservation,
} from './schema.ts';

const reading: Access = {
  scope: 'media:read',
  permission: 'media.manage',
  rateClass: 'read',
  publishable: false,
};
const writing: Access = {
  scope: 'media:write',
  permission: 'media.manage',
  rateClass: 'write',
  publishable: false,
};
const group = 'Media';

const list = operation({
  method: 'GET',
  path: '/media',
  summary: 'List the media library, newest first',
  group,
  access: reading,
  query: MediaQuery,
  answers: { 200: MediaPage },
  errors: [],
  async handle({ db, site, ports, query }) {
    const assets = await listAssets(db, site, query.bucket, query);
    return page(assets, (asset) => project(presentAsset(asset, ports.objects.urlOf), query.fields));
  },
});

const reserve = operation({
  method: 'POST',
  path: '/media/upload-url',
  summary: 'Reserve an upload',
  description: 'Step 1 of 3. PUT the bytes to upload_url with the headers given, then register them.',
  group,
  access: { ...writing, rateClass: 'upload' },
  body: UploadRequest,
  idempotency: 'required',
  answers: { 201: UploadReservation },
  errors: [],
  async handle({ tx, site, body, ports, now }) {
    const reservation = await reserveUpload(
      tx,
      site.id,
      { bucket: body.bucket, fileName: body.file_name },
      now,
    );
    const { url, headers } = await ports.objects.presignUpload({
      key: uploadKey(reservation),
      contentType: body.content_type,
      sizeBytes: body.size_bytes,
      expiresInSeconds: URL_LIFETIME_MS / 1000,
    });
    const data = {
      upload_id: reservation.id,
      upload_url: url,
      upload_url_replayable: true,
      method: 'PUT',
      headers,
      expires_at: reservation.url_expires_at.toISOString(),
      max_size_bytes: body.size_bytes ?? UPLOAD_LIMIT,
    };
    return { ...created(data), replayData: { ...data, upload_url: null, upload_url_replayable: false } };
  },
});

const register = operation({
  method: 'POST',
  path: '/media',
  summary: 'Register an upload as an asset of the library',
  description:
    'Step 3 of 3. The bytes decide what it is: an upload that is no allowed image is refused and deleted.',
  group,
  access: writing,
  body: RegisterMedia,
  idempotency: 'required',
  answers: { 201: MediaAsset },
  errors: ['NOT_FOUND', 'CONFLICT'],
  prepare: ({ site, body, ports, now }) => inspectUpload(ports, site.id, body.upload_id, now),
  async handle({ tx, site, body, ports, prepared, now }) {
    const asset = await registerUpload(tx, site.id, body.upload_id, prepared, body.alt_text ?? null, now);
    const removing = { db: ports.db, remove: ports.objects.remove };
    doomObject(tx, removing, site.id, uploadKey({ id: body.upload_id, site_id: site.id }), now);
    if ('problem' in asset) return refusal(rejectedUpload(asset.problem));
    const extras = { version: asset.version, location: `/media/${asset.id}` };
    return created(presentAsset(asset, ports.objects.urlOf), extras);
  },
});

const read = operation({
  method: 'GET',
  path: '/media/:id',
  summary: 'Read a media asset',
  group,
  access: reading,
  answers: { 200: MediaAsset },
  errors: [],
  async handle({ db, site, ports, params }) {
    const asset = await getAsset(db, site.id, params['id'] as string);
    return ok(presentAsset(asset, ports.objects.urlOf), { version: asset.version });
  },
});

const update = operation({
  method: 'PATCH',
  path: '/media/:id',
  summary: 'Change the alternative text of a media asset',
  group,
  access: writing,
  body: MediaUpdate,
  conditional: true,
  answers: { 200: MediaAsset },
  errors: [],
  async handle({ tx, site, ports, params, body, ifMatch }) {
    const current = await getAssetForChange(tx, site.id, params['id'] as string);
    ifMatch(current.version);
    const asset = await updateAltText(tx, current, body.alt_text);
    return ok(presentAsset(asset, ports.objects.urlOf), { version: asset.version });
  },
});

const remove = operation({
  method: 'DELETE',
  path: '/media/:id',
  summary: 'Delete a media asset and its bytes',
  group,
  access: writing,
  approval: {
    action: 'media.delete',
    target: ({ tx, site, params }) => getAssetForChange(tx, site.id, params['id'] as string),
  },
  answers: { 204: null },
  errors: [],
  async handle({ tx, site, ports, params, now }) {
    const asset = await getAssetForChange(tx, site.id, params['id'] as string);
    await deleteAsset(tx, asset);
    const removing = { db: ports.db, remove: ports.objects.remove };
    doomObject(tx, removing, site.id, asset.object_key, now);
    return noContent();
  },
});

export const mediaOperations = [list, reserve, register, read, update, remove];
