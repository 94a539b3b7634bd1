import { randomUUID } from 'node:crypto';
import { buildTerm } from '../builders.ts';
import { article, asset, blueprint, bulkJob, edited, name, published, scheduled, uploaded } from '../home.ts';
import type { Home } from '../home.ts';
import { reviewRequests } from './reviews.ts';
import type { Build } from './valid-request.ts';

const terms = (
  kind: 'categories' | 'tags' | 'authors',
  noun: 'category' | 'tag' | 'author',
): Record<string, Build> => {
  const term = ({ api, tenant }: Home) => buildTerm(api, tenant.secretKey, kind);
  return {
    [`GET /${kind}`]: async (home) => ({ path: `/${kind}`, shows: (await term(home)).id }),
    [`POST /${kind}`]: () => ({ path: `/${kind}`, body: { name: name() }, audit: `${noun}.create` }),
    [`GET /${kind}/:id`]: async (home) => ({ path: `/${kind}/${(await term(home)).id}` }),
    [`PATCH /${kind}/:id`]: async (home) => ({
      path: `/${kind}/${(await term(home)).id}`,
      body: { name: name() },
      audit: `${noun}.update`,
    }),
    [`DELETE /${kind}/:id`]: async (home) => ({
      path: `/${kind}/${(await term(home)).id}`,
      audit: `${noun}.delete`,
    }),
  };
};

export const contentRequests: Readonly<Record<string, Build>> = {
  'GET /ping': () => ({ path: '/ping' }),
  'GET /site': async ({ send }) => ({ path: '/site', shows: (await send('GET', '/site')).domain }),
  'PATCH /site': async ({ send }) => ({
    path: '/site',
    body: { name: name(), feed_content: 'full' },
    shows: (await send('GET', '/site')).domain,
    agents: '403 FORBIDDEN',
    audit: 'site.update',
  }),
  'GET /content-types': async ({ send }) => {
    const { id } = await send('POST', '/content-types', { name: name(), blueprint });
    return { path: '/content-types', shows: id };
  },
  'POST /content-types': () => ({
    path: '/content-types',
    body: { name: name(), blueprint },
    audit: 'content_type.create',
  }),
  'GET /content-types/:id': async ({ send }) => {
    const { id } = await send('POST', '/content-types', { name: name(), blueprint });
    return { path: `/content-types/${id}` };
  },
  'PATCH /content-types/:id': async ({ send }) => {
    const { id } = await send('POST', '/content-types', { name: name(), blueprint });
    return { path: `/content-types/${id}`, body: { is_active: false }, audit: 'content_type.update' };
  },
  'GET /articles': async (home) => ({ path: '/articles', shows: (await article(home)).id }),
  'POST /articles': async ({ api, tenant }) => {
    const { id } = await buildTerm(api, tenant.secretKey, 'categories');
    return {
      path: '/articles',
      body: { title: name(), category_id: id },
      elsewhere: '422 VALIDATION_FAILED',
      audit: 'article.create',
    };
  },
  'GET /articles/:id': async (home) => ({ path: `/articles/${(await published(home)).id}` }),
  'GET /articles/:id/meta': async (home) => ({ path: `/articles/${(await published(home)).id}/meta` }),
  'PATCH /articles/:id': async (home) => ({
    path: `/articles/${(await published(home)).id}`,
    body: { title: name() },
    audit: 'article.update',
  }),
  'DELETE /articles/:id': async (home) => ({
    path: `/articles/${(await published(home)).id}`,
    audit: 'article.delete',
  }),
  'POST /articles/:id/publish': async (home) => ({
    path: `/articles/${(await article(home)).id}/publish`,
    audit: 'article.publish',
  }),
  'POST /articles/:id/unpublish': async (home) => ({
    path: `/articles/${(await published(home)).id}/unpublish`,
    audit: 'article.unpublish',
  }),
  'POST /articles/:id/schedule': async (home) => ({
    path: `/articles/${(await article(home)).id}/schedule`,
    body: { scheduled_publish_at: '2999-01-01T00:00:00Z' },
    audit: 'article.schedule',
  }),
  'POST /articles/:id/cancel-schedule': async (home) => ({
    path: `/articles/${(await scheduled(home)).id}/cancel-schedule`,
    audit: 'article.cancel_schedule',
  }),
  // The one action that an agent needs an approval for.
  'POST /articles/bulk': () => ({
    path: '/articles/bulk',
    body: { action: 'delete', article_ids: [randomUUID()] },
    audit: 'bulk_job.create',
  }),
  'GET /articles/bulk/:id': async (home) => ({ path: `/articles/bulk/${(await bulkJob(home)).id}` }),
  'POST /articles/bulk/:id/cancel': async (home) => ({
    path: `/articles/bulk/${(await bulkJob(home)).id}/cancel`,
    audit: 'bulk_job.cancel',
  }),
  'GET /articles/:id/revisions': async (home) => ({
    path: `/articles/${(await article(home)).id}/revisions`,
  }),
  'GET /articles/:id/revisions/:number': async (home) => ({
    path: `/articles/${(await article(home)).id}/revisions/1`,
  }),
  'POST /articles/:id/revisions/:number/restore': async (home) => {
    const { id } = await article(home);
    await home.send('PATCH', `/articles/${id}`, { title: name() });
    return { path: `/articles/${id}/revisions/1/restore`, audit: 'article.update' };
  },
  'GET /articles/:id/pending': async (home) => ({ path: `/articles/${(await edited(home)).id}/pending` }),
  'PATCH /articles/:id/pending': async (home) => ({
    path: `/articles/${(await published(home)).id}/pending`,
    body: { title: name() },
    audit: 'pending_edit.update',
  }),
  'DELETE /articles/:id/pending': async (home) => ({
    path: `/articles/${(await edited(home)).id}/pending`,
    audit: 'pending_edit.delete',
  }),
  'POST /articles/:id/pending/publish': async (home) => ({
    path: `/articles/${(await edited(home)).id}/pending/publish`,
    audit: 'article.update',
  }),
  'POST /articles/:id/pending/schedule': async (home) => ({
    path: `/articles/${(await edited(home)).id}/pending/schedule`,
    body: { scheduled_at: '2999-01-01T00:00:00Z' },
    audit: 'pending_edit.schedule',
  }),
  'POST /articles/:id/pending/cancel-schedule': async (home) => {
    const path = `/articles/${(await edited(home)).id}/pending`;
    await home.send('POST', `${path}/schedule`, { scheduled_at: '2999-01-01T00:00:00Z' });
    return { path: `${path}/cancel-schedule`, audit: 'pending_edit.cancel_schedule' };
  },
  ...reviewRequests,
  'POST /articles/:id/preview-links': async (home) => ({
    path: `/articles/${(await article(home)).id}/preview-links`,
    audit: 'preview_link.create',
  }),
  'GET /articles/:id/preview-links': async (home) => {
    const path = `/articles/${(await article(home)).id}/preview-links`;
    return { path, shows: (await home.send('POST', path)).id };
  },
  'DELETE /articles/:id/preview-links/:link_id': async (home) => {
    const path = `/articles/${(await article(home)).id}/preview-links`;
    return { path: `${path}/${(await home.send('POST', path)).id}`, audit: 'preview_link.delete' };
  },
  ...terms('categories', 'category'),
  ...terms('tags', 'tag'),
  ...terms('authors', 'author'),
  'GET /media': async (home) => ({ path: '/media', shows: (await asset(home)).id }),
  'POST /media/upload-url': () => ({
    path: '/media/upload-url',
    body: { file_name: 'photo.png', content_type: 'image/png' },
  }),
  'POST /media': async (home) => ({
    path: '/media',
    body: { upload_id: await uploaded(home) },
    elsewhere: '404 NOT_FOUND',
    audit: 'media.register',
  }),
  'GET /media/:id': async (home) => ({ path: `/media/${(await asset(home)).id}` }),
  'PATCH /media/:id': async (home) => ({
    path: `/media/${(await asset(home)).id}`,
    body: { alt_text: name() },
    audit: 'media.update',
  }),
  'DELETE /media/:id': async (home) => ({ path: `/media/${(await asset(home)).id}`, audit: 'media.delete' }),
};
