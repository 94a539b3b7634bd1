import { currentArticle, readArticle } from '../../../domain/articles/article.ts';
import {
  createPreviewLink,
  DEFAULT_S,
  deletePreviewLink,
  listPreviewLinks,
  lockPreviewLink,
  previewUrlOf,
} from '../../../domain/previews/link.ts';
import { presentPreviewLink, previewUrl } from '../../../domain/previews/present.ts';
import { writing } from '../articles/operations.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import { noContent } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { PreviewLinkPage, PreviewLinkWithUrl, PreviewLinkWrite } from './schema.ts';

/** Those who may write an article may show it. */
const access = writing;

const create = operation({
  id: 'createPreviewLink',
  method: 'POST',
  path: '/articles/:id/preview-links',
  summary: 'Create a link to the preview of an article',
  description:
    'Everyone who has the link can read the article as it is when they open it, published or not, until the link expires or is deleted. The body is optional. Only this answer contains the address: the token in it is not stored. A Site has at most 10,000 links that have not expired, and an article 200 (409).',
  access,
  body: PreviewLinkWrite.optional(),
  idempotency: 'honoured',
  secret: true,
  answers: { 201: PreviewLinkWithUrl },
  headers: ['Location'],
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, body, ports, now }) {
    const article = await currentArticle(tx, site.id, params.id);
    const expiresIn = body?.expires_in ?? DEFAULT_S;
    const { link, token } = await createPreviewLink({ tx, site, actor, now }, article.id, expiresIn);
    const template = await previewUrlOf(tx, site.id);
    const shown = presentPreviewLink(link);
    return {
      status: 201,
      data: { ...shown, url: previewUrl(ports.publicUrl, template, token, article.slug) },
      replayData: { ...shown, url: null },
      location: `/articles/${article.id}/preview-links/${link.id}`,
    };
  },
});

const list = listOperation({
  id: 'listPreviewLinks',
  path: '/articles/:id/preview-links',
  summary: 'List the preview links of an article',
  description: 'Those that work, newest first, without their addresses.',
  access: { ...access, rateClass: 'read' },
  query: PageQuery,
  answer: PreviewLinkPage,
  async read({ db, site, params, query, now }) {
    const article = await readArticle(db, site.id, params.id, false);
    return listPreviewLinks(db, site, article.id, query, now);
  },
  present: presentPreviewLink,
});

const remove = operation({
  id: 'deletePreviewLink',
  method: 'DELETE',
  path: '/articles/:id/preview-links/:link_id',
  summary: 'Delete a preview link; it stops working at once',
  description: 'A link that has expired is 404.',
  access,
  approval: {
    actions: ['preview_link.delete'],
    async target({ tx, site, params, now }) {
      const article = await currentArticle(tx, site.id, params.id);
      const link = await lockPreviewLink(tx, article.id, params.link_id, now);
      return { version: link.created_at.toISOString() };
    },
  },
  answers: { 204: null },
  async handle({ tx, site, actor, params, now }) {
    const article = await currentArticle(tx, site.id, params.id);
    await deletePreviewLink({ tx, site, actor, now }, article.id, params.link_id);
    return noContent();
  },
});

export const previewOperations = [create, list, remove];
