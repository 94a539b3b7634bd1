import {
  getContentType,
  getContentTypeForChange,
  listContentTypes,
  requireOwn,
} from '../../domain/content-types/content-type.ts';
import type { ContentType, ContentTypeDetail } from '../../domain/content-types/content-type.ts';
import { createContentType, updateContentType } from '../../domain/content-types/manage.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { created, ok } from '../reply.ts';
import { ContentTypeDetailShape, ContentTypeList, ContentTypeUpdate, ContentTypeWrite } from './schema.ts';

const group = 'Formats';
const reading = { scope: 'meta:read', permission: null, rateClass: 'read' } as const;
const writing: Access = {
  scope: 'prompts:write',
  permission: 'prompts.manage',
  rateClass: 'write',
  publishable: false,
};

const present = (row: ContentType) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  source: row.site_id === null ? 'platform' : 'site',
  is_active: row.is_active,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const presentDetail = (row: ContentTypeDetail) => ({
  ...present(row),
  blueprint: {
    requires: row.blueprint.requires,
    sections: row.blueprint.sections.map(({ heading, guidance, min_words, max_words }) => ({
      heading,
      guidance,
      min_words,
      max_words,
    })),
  },
});

const list = operation({
  method: 'GET',
  path: '/content-types',
  summary: 'List article formats',
  description:
    'By name, in one answer: the Site’s formats, and the platform’s. A Site’s format of the same key replaces the platform’s.',
  group,
  access: { ...reading, publishable: true },
  answers: { 200: ContentTypeList },
  errors: [],
  async handle({ db, site }) {
    const rows = await listContentTypes(db, site.id);
    return ok({ items: rows.map(present) });
  },
});

const create = operation({
  method: 'POST',
  path: '/content-types',
  summary: 'Create an article format',
  description: 'One with the key of a platform’s format replaces it in this Site.',
  group,
  access: writing,
  body: ContentTypeWrite,
  idempotency: 'required',
  answers: { 201: ContentTypeDetailShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, body, now }) {
    const row = await createContentType({ tx, site, actor, now }, body);
    return created(presentDetail(row), { version: row.version, location: `/content-types/${row.id}` });
  },
});

const read = operation({
  method: 'GET',
  path: '/content-types/:id',
  summary: 'Read an article format with its blueprint',
  group,
  access: { ...reading, publishable: false },
  answers: { 200: ContentTypeDetailShape },
  errors: [],
  async handle({ db, site, params }) {
    const row = await getContentType(db, site.id, params['id'] as string);
    return ok(presentDetail(row), { version: row.version });
  },
});

const update = operation({
  method: 'PATCH',
  path: '/content-types/:id',
  summary: 'Change a format of the Site',
  description: 'Applies to articles written from then on. The key cannot change; a platform’s format is 409.',
  group,
  access: writing,
  body: ContentTypeUpdate,
  conditional: true,
  answers: { 200: ContentTypeDetailShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, body, ifMatch, now }) {
    const current = await getContentTypeForChange(tx, site.id, params['id'] as string);
    ifMatch(current.version);
    requireOwn(current);
    const row = await updateContentType({ tx, site, actor, now }, current, body);
    return ok(presentDetail(row), { version: row.version });
  },
});

export const contentTypeOperations = [list, create, read, update];
