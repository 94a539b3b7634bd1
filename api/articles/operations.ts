import type { Article } from '../../domain/articles/article.ts';
import { getArticleForChange, readArticle as read } from '../../domain/articles/article.ts';
import { createArticle as create, draftArticle } from '../../domain/articles/create.ts';
import { defaultProjection, listArticles as list } from '../../domain/articles/list.ts';
import { presentArticle, presentLifecycle } from '../../domain/articles/present.ts';
import {
  deleteArticle as remove,
  publishArticle as publish,
  unpublishArticle as unpublish,
} from '../../domain/articles/publish.ts';
import { cancelSchedule as cancel, scheduleArticle as schedule } from '../../domain/articles/schedule.ts';
import { updateArticle as update } from '../../domain/articles/update.ts';
import type { Caller } from '../../domain/access/authenticate.ts';
import { ServiceError } from '../../domain/errors.ts';
import { operation } from '../operation.ts';
import { created, noContent, ok, page, written } from '../reply.ts';
import type { Reply } from '../reply.ts';
import { project } from '../schema/query.ts';
import { presentListed } from './present.ts';
import {
  ArticleLifecycleState,
  ArticlePage,
  ArticleShape,
  ArticleWrite,
  GetQuery,
  ListQuery,
  PartialArticle,
  PublishBody,
  ScheduleBody,
} from './schema.ts';

const reading = {
  scope: 'articles:read',
  permission: 'articles.read',
  rateClass: 'read',
  publishable: true,
} as const;
const writing = {
  scope: 'articles:write',
  permission: 'articles.write',
  rateClass: 'write',
  publishable: false,
} as const;
const group = 'Articles';

/** A publishable key may ask for published articles alone (specification, GET /articles). */
function refuseOtherStatus(caller: Caller, query: URLSearchParams): ServiceError | null {
  if (caller.kind === 'secret' || query.getAll('status').every((status) => status === 'published'))
    return null;
  return new ServiceError('INSUFFICIENT_SCOPE', 'status: a publishable key sees published articles only.');
}

const isBrief = (names: ReadonlySet<string>): boolean =>
  [...names].every((name) => (defaultProjection as readonly string[]).includes(name));

const listArticles = operation({
  method: 'GET',
  path: '/articles',
  summary: 'List articles',
  group,
  access: { ...reading, refuse: refuseOtherStatus },
  query: ListQuery,
  answers: { 200: ArticlePage },
  errors: [],
  async handle({ db, site, caller, query }) {
    const { cursor, limit, fields = new Set<string>(defaultProjection), order, ...filters } = query;
    const status = caller.kind === 'publishable' ? (['published'] as const) : filters.status;
    const wanted = { cursor, limit, order, filters: { ...filters, status }, whole: !isBrief(fields) };
    return list(db, site, wanted, {
      name: [...fields].join(),
      of: (rows) => written(page(rows, (row) => presentListed(row, fields))),
    });
  },
});

const createdArticle = (article: Article): Reply =>
  created(presentArticle(article), { version: article.version, location: `/articles/${article.id}` });

const createArticle = operation({
  method: 'POST',
  path: '/articles',
  summary: 'Create a draft',
  group,
  access: writing,
  body: ArticleWrite.optional(),
  idempotency: 'required',
  answers: { 201: ArticleShape },
  errors: ['SLUG_CONFLICT'],
  shortcut({ site, body, now }) {
    const drafted = draftArticle(site.id, body ?? {}, now);
    if (drafted === null) return null;
    const { article, ...done } = drafted;
    return { reply: createdArticle(article), ...done };
  },
  handle: async ({ tx, site, body, now }) => createdArticle(await create(tx, site.id, body ?? {}, now)),
});

const readArticle = operation({
  method: 'GET',
  path: '/articles/:id',
  summary: 'Read an article',
  group,
  access: reading,
  query: GetQuery,
  answers: { 200: PartialArticle },
  errors: [],
  async handle({ db, site, caller, params, query }) {
    const article = await read(db, site.id, params['id'] as string, caller.kind === 'publishable');
    return ok(project(presentArticle(article), query.fields), { version: article.version });
  },
});

const updateArticle = operation({
  method: 'PATCH',
  path: '/articles/:id',
  summary: 'Change an article',
  group,
  access: writing,
  body: ArticleWrite,
  optimistic: true,
  conditional: true,
  answers: { 200: ArticleShape },
  errors: ['SLUG_CONFLICT'],
  async handle({ tx, site, params, body, ifMatch, purging, now }) {
    const current = await getArticleForChange(tx, site.id, params['id'] as string);
    ifMatch(current.version);
    const article = await update(tx, purging, current, body, now);
    return ok(presentArticle(article), { version: article.version });
  },
});

const deleteArticle = operation({
  method: 'DELETE',
  path: '/articles/:id',
  summary: 'Delete an article for good',
  group,
  access: writing,
  approval: {
    action: 'article.delete',
    target: ({ tx, site, params }) => getArticleForChange(tx, site.id, params['id'] as string),
  },
  conditional: true,
  answers: { 204: null },
  errors: [],
  async handle({ tx, site, actor, params, ifMatch, purging, now }) {
    const current = await getArticleForChange(tx, site.id, params['id'] as string);
    ifMatch(current.version);
    await remove({ tx, site, actor, now }, purging, current);
    return noContent();
  },
});

const publishArticle = operation({
  method: 'POST',
  path: '/articles/:id/publish',
  summary: 'Publish an article',
  group,
  access: writing,
  body: PublishBody.optional(),
  optimistic: true,
  answers: { 200: ArticleLifecycleState },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, body, purging, now }) {
    const current = await getArticleForChange(tx, site.id, params['id'] as string);
    const article = await publish(tx, purging, current, body ?? {}, now);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

const unpublishArticle = operation({
  method: 'POST',
  path: '/articles/:id/unpublish',
  summary: 'Take an article off the public blog',
  group,
  access: writing,
  optimistic: true,
  answers: { 200: ArticleLifecycleState },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, purging, now }) {
    const current = await getArticleForChange(tx, site.id, params['id'] as string);
    const article = await unpublish(tx, purging, current, now);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

const scheduleArticle = operation({
  method: 'POST',
  path: '/articles/:id/schedule',
  summary: 'Publish an article at a time to come',
  group,
  access: writing,
  body: ScheduleBody,
  optimistic: true,
  answers: { 200: ArticleLifecycleState },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, body, now }) {
    const current = await getArticleForChange(tx, site.id, params['id'] as string);
    const article = await schedule(tx, site, current, body.scheduled_publish_at, now);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

const cancelSchedule = operation({
  method: 'POST',
  path: '/articles/:id/cancel-schedule',
  summary: 'Make a scheduled article a draft again',
  group,
  access: writing,
  optimistic: true,
  answers: { 200: ArticleLifecycleState },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, now }) {
    const current = await getArticleForChange(tx, site.id, params['id'] as string);
    const article = await cancel(tx, site.id, current, now);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

export const articleOperations = [
  listArticles,
  createArticle,
  readArticle,
  updateArticle,
  deleteArticle,
  publishArticle,
  unpublishArticle,
  scheduleArticle,
  cancelSchedule,
];
