import {
  getContentType,
  getContentTypeForUpdate,
  listContentTypes,
  requireOwn,
} from '../../../domain/content-types/content-type.ts';
import { createContentType, updateContentType } from '../../../domain/content-types/manage.ts';
import { presentContentType, presentContentTypeDetail } from '../../../domain/content-types/present.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { created, ok } from '../../framework/reply.ts';
import { examineDerived } from '../../framework/schema/derived.ts';
import { ContentTypeDetailShape, ContentTypeList, ContentTypeUpdate, ContentTypeWrite } from './schema.ts';
import { contentTypeDetailExample, contentTypeUpdateExample } from './examples.ts';

const reading = { scope: 'meta:read', permission: null, rateClass: 'read' } as const;
const writing: Access = { scope: 'prompts:write', permission: 'prompts.manage', rateClass: 'write' };

const list = operation({
  id: 'listContentTypes',
  method: 'GET',
  path: '/content-types',
  summary: 'List article formats',
  description:
    'Lists the formats of the Site and of the platform by name, on one page. A format of the Site replaces the platform’s format with the same key.',
  access: { ...reading, publishable: true },
  answers: { 200: ContentTypeList },
  async handle({ db, site }) {
    const rows = await listContentTypes(db, site.id);
    return ok({ items: rows.map(presentContentType) });
  },
});

const create = operation({
  id: 'createContentType',
  method: 'POST',
  path: '/content-types',
  summary: 'Create an article format',
  description: 'A format with the key of a platform’s format replaces that one in this Site.',
  access: writing,
  body: ContentTypeWrite,
  examine: examineDerived('key'),
  idempotency: 'required',
  answers: { 201: ContentTypeDetailShape },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, body, now }) {
    const row = await createContentType({ tx, site, actor, now }, body);
    return created(presentContentTypeDetail(row), {
      version: row.version,
      location: `/content-types/${row.id}`,
    });
  },
});

const read = operation({
  id: 'getContentType',
  method: 'GET',
  path: '/content-types/:id',
  summary: 'Read an article format with its blueprint',
  description: 'Formats of the platform and of the Site can be read.',
  access: { ...reading, publishable: false },
  answers: { 200: ContentTypeDetailShape },
  async handle({ db, site, params }) {
    const row = await getContentType(db, site.id, params.id);
    return ok(presentContentTypeDetail(row), { version: row.version });
  },
});

const update = operation({
  id: 'updateContentType',
  method: 'PATCH',
  path: '/content-types/:id',
  summary: 'Update a format of the Site',
  description:
    'The change applies to articles written afterwards. The key cannot change. A format of the platform cannot be changed (409).',
  access: writing,
  body: ContentTypeUpdate,
  conditional: true,
  example: { data: { ...contentTypeDetailExample, ...contentTypeUpdateExample } },
  answers: { 200: ContentTypeDetailShape },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, body, ifMatch, now }) {
    const current = await getContentTypeForUpdate(tx, site.id, params.id);
    ifMatch(current.version);
    requireOwn(current);
    const row = await updateContentType({ tx, site, actor, now }, current, body);
    return ok(presentContentTypeDetail(row), { version: row.version });
  },
});

export const contentTypeOperations = [list, create, read, update];
