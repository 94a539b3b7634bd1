import { readArticle } from '../../../domain/articles/article.ts';
import { listClaims, presentClaim } from '../../../domain/pipeline/claims/list.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { ClaimPage } from './schema.ts';

const list = listOperation({
  id: 'listClaims',
  path: '/articles/:id/claims',
  summary: 'List what an article claims, in the order of its text',
  description:
    'The stage improve of the pipeline finds them, looks for each in the sources, and replaces those of before. They follow edits of the content as notes do; those that it does not have any more come last.',
  access: { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' },
  query: PageQuery,
  answer: ClaimPage,
  async read({ db, site, params, query }) {
    const article = await readArticle(db, site.id, params.id, false);
    return listClaims(db, site, article.id, query);
  },
  present: presentClaim,
});

export const claimOperations = [list];
