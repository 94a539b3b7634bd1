import { currentArticle } from '../../../domain/articles/article.ts';
import { presentArticle, presentRevision, presentWholeRevision } from '../../../domain/articles/present.ts';
import { findMissingReferences } from '../../../domain/articles/references.ts';
import { getRevision, listRevisions } from '../../../domain/articles/revisions.ts';
import { movesOf } from '../../../domain/notes/anchors.ts';
import { requireEditor } from '../../../domain/publication/publisher.ts';
import { updateArticle } from '../../../domain/publication/update.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import { ok } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { markedVersion } from './content-html.ts';
import { reading, updateOfShown, writing } from './operations.ts';
import { ArticleRevisionPage, revisionNumber, WholeArticleRevision } from './revision-schema.ts';
import { ArticleShape } from './schema.ts';

const access = { ...reading, publishable: false };
const textParams = { number: revisionNumber };

const list = listOperation({
  id: 'listArticleRevisions',
  path: '/articles/:id/revisions',
  summary: 'List the revisions of an article, newest first',
  description:
    'Each change of a writable member is a revision, whoever made it: a key, an import or the pipeline. `number` is the version that the change made; versions made by publishing, scheduling and the like, or by deleting a category, tag or author, have none. The newest 100 are kept, until the article is deleted.',
  access,
  query: PageQuery,
  answer: ArticleRevisionPage,
  read: ({ db, site, params, query }) => listRevisions(db, site, params.id, query),
  present: presentRevision,
});

const read = operation({
  id: 'getArticleRevision',
  method: 'GET',
  path: '/articles/:id/revisions/:number',
  summary: 'Read a revision with the article as it then was',
  description: 'Has every writable member of the article. A revision never changes.',
  access,
  textParams,
  answers: { 200: WholeArticleRevision },
  async handle({ db, site, params }) {
    const revision = await getRevision(db, site.id, params.id, params.number);
    return ok(presentWholeRevision(revision), { version: revision.number });
  },
});

const restore = operation({
  id: 'restoreArticleRevision',
  method: 'POST',
  path: '/articles/:id/revisions/:number/restore',
  summary: 'Restore a revision',
  description:
    'Updates the article with all members of the revision, exactly as a PATCH with them would: the same refusals and events, and a new revision, so that it can be undone by another restore. The status stays. A category, author, format or tag that does not exist any more is 422, and a slug that another article has by now is 409. If the article already is as it was then, the version stays. If the article is published or scheduled, it needs the permission articles.publish too, and is 409 on a Site that wants reviews.',
  access: { ...writing, forDrafts: true },
  textParams,
  approval: {
    actions: ['article.update_published'],
    among: updateOfShown,
    async target({ tx, site, caller, params }) {
      const article = await currentArticle(tx, site.id, params.id);
      await getRevision(tx, site.id, params.id, params.number);
      requireEditor(caller, article, site);
      return article;
    },
  },
  conditional: true,
  answers: { 200: ArticleShape },
  errors: ['SLUG_CONFLICT', 'PREREQUISITE_MISSING'],
  async change({ rows, effects, site, caller, actor, ports, params, ifMatch, purging, now }) {
    // One after the other, so that an unknown article is always named before its revision.
    const current = await currentArticle(rows, site.id, params.id);
    const revision = await getRevision(rows, site.id, params.id, params.number);
    requireEditor(caller, current, site);
    const missing = await findMissingReferences(rows, site.id, revision.article);
    ifMatch(current.version, { alias: markedVersion(current) });
    const change = { tx: effects, site, actor, now, readWords: ports.renderer.readWords };
    const moves = await movesOf(rows, current, revision.article);
    const article = await updateArticle(change, purging, current, revision.article, { missing, moves });
    return ok(presentArticle(article), { version: article.version });
  },
});

export const revisionOperations = [list, read, restore];
