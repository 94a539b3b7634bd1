import { deleteBacklink, listBacklinks } from '../../../../domain/seo/backlinks/backlink.ts';
import { importBacklinks } from '../../../../domain/seo/backlinks/import.ts';
import { presentBacklink } from '../../../../domain/seo/backlinks/present.ts';
import { writing } from '../../articles/operations.ts';
import { listOperation } from '../../../framework/list-operation.ts';
import { operation } from '../../../framework/operation.ts';
import type { Access } from '../../../framework/operation.ts';
import { noContent, ok } from '../../../framework/reply.ts';
import { readImport } from './read-import.ts';
import { BacklinkImport, BacklinkPage, BacklinkQuery, BacklinksImported } from './schema.ts';

const reading: Access = { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' };

const importFile = operation({
  id: 'importBacklinks',
  method: 'POST',
  path: '/seo/backlinks/import',
  summary: 'Import links from other sites',
  description:
    'Reads the list of links that Ahrefs, Semrush or Search Console exports, or a file with the columns `source_url,target_url` and if you like `anchor`, `rel`, `first_seen` and `last_seen`. The columns are found by their names or, if these are translated, by what is in them; they are separated by commas, semicolons or tabs. A file without targets is about the home page. A link is its source and its target: one that is known is updated. Lines that are no links are rejected, the others are imported. It is free. A Site has at most 200,000 backlinks (409).',
  access: { ...writing, rateClass: 'upload' },
  body: BacklinkImport,
  idempotency: 'honoured',
  answers: { 200: BacklinksImported },
  errors: ['CONFLICT', 'VALIDATION_FAILED'],
  prepare: ({ ports, site, body }) => readImport(ports, site, body),
  async handle({ tx, site, actor, prepared, now }) {
    const imported = await importBacklinks({ tx, site, actor, now }, prepared);
    const { source, rejected, rejectedTotal } = prepared;
    return ok({ source, ...imported, rejected, rejected_total: rejectedTotal });
  },
});

const list = listOperation({
  id: 'listBacklinks',
  path: '/seo/backlinks',
  summary: 'List the links from other sites',
  description: 'Those imported last come first. `status` may be repeated.',
  access: reading,
  query: BacklinkQuery,
  answer: BacklinkPage,
  read: ({ db, site, query: { cursor, limit, status, article_id: articleId, domain } }) =>
    listBacklinks(db, site, { status, articleId, domain }, { cursor, limit }),
  present: presentBacklink,
});

const remove = operation({
  id: 'deleteBacklink',
  method: 'DELETE',
  path: '/seo/backlinks/:id',
  summary: 'Delete a link from another site',
  description: 'The next import of a file that has it adds it again.',
  access: writing,
  answers: { 204: null },
  async handle({ tx, site, actor, params, now }) {
    await deleteBacklink({ tx, site, actor, now }, params.id);
    return noContent();
  },
});

export const backlinkOperations = [importFile, list, remove];
