import { requireOwn } from '../../../domain/access/drafts-only.ts';
import {
  deleteAsset,
  getAsset,
  getAssetForUpdate,
  listAssets,
  updateAltText,
} from '../../../domain/media/asset.ts';
import type { Asset } from '../../../domain/media/asset.ts';
import { presentAsset } from '../../../domain/media/present.ts';
import { removalIn } from '../../../adapters/storage/removal.ts';
import { scheduleObjectDeletion } from '../../../domain/media/pending-deletions.ts';
import { variantsPrefix } from '../../../domain/media/variant.ts';
import { variantsWrittenUntil } from '../../../domain/media/variant-rows.ts';
import { registerUpload, rejectedUpload } from '../../../domain/media/register.ts';
import {
  reserveUpload,
  UPLOAD_LIMIT,
  uploadKey,
  URL_LIFETIME_MS,
} from '../../../domain/media/reservation.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { committedError, created, noContent, ok } from '../../framework/reply.ts';
import { project } from '../../framework/schema/query.ts';
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
import { assetExample, mediaUpdateExample } from './examples.ts';

const reading: Access = { scope: 'media:read', permission: 'media.manage', rateClass: 'read' };
const writing: Access = { scope: 'media:write', permission: 'media.manage', rateClass: 'write' };

const list = listOperation({
  id: 'listMedia',
  path: '/media',
  summary: 'List the media library, newest first',
  description: '`bucket` filters by the kind of image, `q` searches file names and alt texts.',
  access: reading,
  query: MediaQuery,
  answer: MediaPage,
  read: ({ db, site, query }) => listAssets(db, site, { bucket: query.bucket, q: query.q }, query),
  present: (asset, { ports, query }) => project(presentAsset(asset, ports.objects.urlOf), query.fields),
});

const reserve = operation({
  id: 'reserveMediaUpload',
  method: 'POST',
  path: '/media/upload-url',
  summary: 'Reserve an upload',
  description:
    'Step 1 of 3. PUT the bytes to upload_url with the given headers, then register the upload. A Site has at most 200 open reservations (409 beyond that).',
  access: { ...writing, rateClass: 'upload', forDrafts: true },
  body: UploadRequest,
  idempotency: 'required',
  secret: true,
  answers: { 201: UploadReservation },
  errors: ['CONFLICT'],
  async handle({ tx, site, body, ports, now }) {
    const reservation = await reserveUpload(
      tx,
      site.id,
      { bucket: body.bucket, fileName: body.file_name, sizeBytes: body.size_bytes },
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
  id: 'registerMedia',
  method: 'POST',
  path: '/media',
  summary: 'Register an upload as an asset of the library',
  description:
    'Step 3 of 3. The type is determined from the bytes. An upload that is not an allowed image is rejected and deleted.',
  access: { ...writing, forDrafts: true },
  body: RegisterMedia,
  idempotency: 'required',
  answers: { 201: MediaAsset },
  headers: ['ETag', 'Location'],
  errors: ['NOT_FOUND', 'CONFLICT'],
  prepare: ({ site, body, ports, now }) => inspectUpload(ports, site.id, body.upload_id, now),
  async handle({ tx, site, actor, body, ports, prepared, now }) {
    const change = { tx, site, actor, now };
    const shown = (one: Asset) => presentAsset(one, ports.objects.urlOf);
    const asset = await registerUpload(change, body.upload_id, prepared, body.alt_text ?? null, shown);
    const removing = { db: ports.db, remove: ports.objects.remove };
    scheduleObjectDeletion(tx, removing, site.id, uploadKey({ id: body.upload_id, site_id: site.id }), now);
    if ('problem' in asset) return committedError(rejectedUpload(asset.problem));
    const extras = { version: asset.version, location: `/media/${asset.id}` };
    return created(shown(asset), extras);
  },
});

const read = operation({
  id: 'getMedia',
  method: 'GET',
  path: '/media/:id',
  summary: 'Read a media asset',
  description: '`width` and `height` are as displayed, with the orientation of the EXIF data.',
  access: reading,
  answers: { 200: MediaAsset },
  async handle({ db, site, ports, params }) {
    const asset = await getAsset(db, site.id, params.id);
    return ok(presentAsset(asset, ports.objects.urlOf), { version: asset.version });
  },
});

const update = operation({
  id: 'updateMedia',
  method: 'PATCH',
  path: '/media/:id',
  summary: 'Update the alternative text of a media asset',
  description: 'Nothing else of an asset can change: its bytes never do.',
  access: { ...writing, forDrafts: true },
  body: MediaUpdate,
  conditional: true,
  example: { data: { ...assetExample, ...mediaUpdateExample } },
  answers: { 200: MediaAsset },
  async handle({ tx, site, caller, actor, ports, params, body, ifMatch, now }) {
    const current = await getAssetForUpdate(tx, site.id, params.id);
    requireOwn(caller, current.uploaded_by, 'uploads');
    ifMatch(current.version);
    const shown = (one: Asset) => presentAsset(one, ports.objects.urlOf);
    const asset = await updateAltText({ tx, site, actor, now }, current, body.alt_text, shown);
    return ok(shown(asset), { version: asset.version });
  },
});

const remove = operation({
  id: 'deleteMedia',
  method: 'DELETE',
  path: '/media/:id',
  summary: 'Delete a media asset and its bytes',
  description:
    'The bytes are deleted from storage. Articles are not rewritten: they show a broken image where they use it.',
  access: writing,
  approval: {
    actions: ['media.delete'],
    target: ({ tx, site, params }) => getAssetForUpdate(tx, site.id, params.id),
  },
  answers: { 204: null },
  async handle({ tx, site, actor, ports, params, now }) {
    const asset = await getAssetForUpdate(tx, site.id, params.id);
    const writtenUntil = await variantsWrittenUntil(tx, asset.id);
    await deleteAsset({ tx, site, actor, now }, asset);
    const removing = { db: ports.db, remove: removalIn(ports.objects) };
    scheduleObjectDeletion(tx, removing, site.id, asset.object_key, now);
    if (writtenUntil !== null) {
      const variants = variantsPrefix(asset.object_key);
      scheduleObjectDeletion(tx, removing, site.id, variants, now, writtenUntil);
    }
    return noContent();
  },
});

export const mediaOperations = [list, reserve, register, read, update, remove];
