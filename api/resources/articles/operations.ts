import { digitalSourceType } from '../../../domain/articles/origin.ts';
import type { Article } from '../../../domain/articles/row.ts';
import { currentArticle, readArticle } from '../../../domain/articles/article.ts';
import { auditCreation } from '../../../domain/publication/audit.ts';
import { createArticle } from '../../../domain/publication/create.ts';
import {
  articlePage,
  defaultProjection,
  heavyMembers,
  listHeavyArticles,
} from '../../../domain/articles/list.ts';
import type { ListedArticle } from '../../../domain/articles/list.ts';
import { presentArticle, presentLifecycle } from '../../../domain/articles/present.ts';
import { movesOf } from '../../../domain/notes/anchors.ts';
import { missingApprovals } from '../../../domain/publication/required-reviews.ts';
import { requireEditor, requirePublisher, requireRemover } from '../../../domain/publication/publisher.ts';
import { isShownOrWillBe } from '../../../domain/publication/publication-rules.ts';
import { deleteArticle, publishArticle, unpublishArticle } from '../../../domain/publication/publish.ts';
import { cancelSchedule, scheduleArticle } from '../../../domain/publication/schedule.ts';
import { findMissingReferences } from '../../../domain/articles/references.ts';
import { updateArticle } from '../../../domain/publication/update.ts';
import type { Caller } from '../../../domain/access/authenticate.ts';
import type { Site } from '../../../domain/kernel/site.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import type { Rows } from '../../../db/transaction.ts';
import type { GatedOperation } from '../../../domain/approvals/gated-operations.ts';
import { operation } from '../../framework/operation.ts';
import type { WriteContext } from '../../framework/operation.ts';
import { created, noContent, ok, presentPage } from '../../framework/reply.ts';
import { project } from '../../framework/schema/query.ts';
import { weighedPage } from '../../framework/weighed-reply.ts';
import { markedContentHtml, markedVersion } from './content-html.ts';
import { projectListed } from './project-listed.ts';
import {
  ArticleCreate,
  ArticleLifecycleState,
  ArticlePage,
  ArticleShape,
  ArticleWrite,
  GetQuery,
  ListQuery,
  ReadArticle,
  PublishBody,
  ScheduleBody,
} from './schema.ts';
import { articleExample, draftExample, publishedExample, scheduledExample } from './examples.ts';

export const reading = {
  scope: 'articles:read',
  permission: 'articles.read',
  rateClass: 'read',
  publishable: true,
} as const;
export const writing = { scope: 'articles:write', permission: 'articles.write', rateClass: 'write' } as const;

/** A publishable key may only list published articles (docs/spec/service-api.md, Articles, GET /articles). */
function refuseOtherStatus(caller: Caller, query: URLSearchParams): ServiceError | null {
  if (caller.kind === 'secret' || query.getAll('status').every((status) => status === 'published'))
    return null;
  return new ServiceError(
    'INSUFFICIENT_SCOPE',
    'status: must be published; a publishable key sees published articles only.',
  );
}

const isBrief = (names: ReadonlySet<string>): boolean =>
  [...names].every((name) => (defaultProjection as readonly string[]).includes(name));

const list = operation({
  id: 'listArticles',
  method: 'GET',
  path: '/articles',
  summary: 'List articles',
  description:
    'By default the most recently updated come first, without the long members: name those in `fields`. `status` and `origin` may be repeated. `q` searches, and combines with every filter and order. A publishable key sees published articles only, and may not ask for another status (403).',
  access: { ...reading, refuse: refuseOtherStatus },
  query: ListQuery,
  answers: { 200: ArticlePage },
  async handle({ db, ports, site, caller, query }) {
    const { cursor, limit, fields = new Set<string>(defaultProjection), order, ...filters } = query;
    const status = caller.kind === 'publishable' ? (['published'] as const) : filters.status;
    const wanted = { cursor, limit, order, filters: { ...filters, status } };
    if (heavyMembers.some((name) => fields.has(name))) {
      const write = (row: ListedArticle): string => JSON.stringify(projectListed(row, fields));
      return weighedPage(site, () => listHeavyArticles(db, site, wanted, fields, write));
    }
    const unread = articlePage(db, site, wanted, isBrief(fields) ? 'brief' : 'light');
    return ports.responses.reply(unread, [...fields].join(), (rows) =>
      presentPage(rows, (row) => projectListed(row, fields)),
    );
  },
});

const create = operation({
  id: 'createArticle',
  method: 'POST',
  path: '/articles',
  summary: 'Create a draft',
  description:
    'The body is optional: without one, an empty draft is created. Without `slug`, it is derived from the title, and gets `-2`, `-3`, … if it is taken; a slug that you send and that is taken is 409. `status` cannot be set here: see publish and schedule. `origin` says that a machine took part in the text; without it, it is a person’s.',
  access: { ...writing, forDrafts: true },
  body: ArticleCreate.optional(),
  idempotency: 'required',
  answers: { 201: ArticleShape },
  headers: ['ETag', 'Location'],
  errors: ['SLUG_CONFLICT'],
  async change({ rows, effects, site, actor, ports, body, now }) {
    const { readWords } = ports.renderer;
    const change = { tx: effects, site, actor, now, readWords };
    const article = await createArticle(rows, change, site, body ?? {});
    auditCreation(change, article);
    return created(presentArticle(article), {
      version: article.version,
      location: `/articles/${article.id}`,
    });
  },
});

const read = operation({
  id: 'getArticle',
  method: 'GET',
  path: '/articles/:id',
  summary: 'Read an article',
  description:
    'All members by default. `content_html` is given only if `fields` names it: the content as sanitised HTML. A content that is hostile to a renderer, such as one with 100 nested quotes, is 422, each time; 503 says that the service is too busy at the moment. For a publishable key, an article that is not published is 404.',
  access: reading,
  query: GetQuery,
  example: { data: articleExample },
  answers: { 200: ReadArticle },
  errors: ['VALIDATION_FAILED'],
  async handle({ db, ports, site, caller, params, query }) {
    const article = await readArticle(db, site.id, params.id, caller.kind === 'publishable');
    const shown = project(presentArticle(article), query.fields);
    if (!query.fields?.has('content_html')) return ok(shown, { version: article.version });
    const html = await markedContentHtml(ports, site.id, site.aiDisclosure, article);
    const isMarked = digitalSourceType(site.aiDisclosure, article.origin) !== null;
    const version = isMarked ? markedVersion(article) : article.version;
    return ok({ ...shown, content_html: html }, { version });
  },
});

type Called = Pick<WriteContext<unknown, unknown, '/articles/:id'>, 'site' | 'caller' | 'params'>;

/** Loads the article to change. 403 comes after 404, and before a person is asked (docs/spec/rulings.md, 23). */
const loading =
  (requireRight: (caller: Caller, article: Article, site: Site) => void) =>
  async (rows: Rows, { site, caller, params }: Called): Promise<Article> => {
    const article = await currentArticle(rows, site.id, params.id);
    requireRight(caller, article, site);
    return article;
  };
const toEdit = loading(requireEditor);
const toRemove = loading(requireRemover);
const toPublish = loading((caller) => requirePublisher(caller));

type ArticleContext = Called & Pick<WriteContext<unknown, unknown, '/articles/:id'>, 'tx'>;
const target = (context: ArticleContext): Promise<Article> => toPublish(context.tx, context);

/** Readers see a change of a published article at once, and of a scheduled one at its time. */
export async function updateOfShown({
  tx,
  site,
  params,
}: ArticleContext): Promise<readonly GatedOperation[]> {
  const { status } = await currentArticle(tx, site.id, params.id);
  return isShownOrWillBe(status) ? ['article.update_published'] : [];
}

const update = operation({
  id: 'updateArticle',
  method: 'PATCH',
  path: '/articles/:id',
  summary: 'Update an article',
  description:
    'Only the members that you send change; null clears one, and `tag_ids` replaces all tags. A published article may be edited, but not lose its title, slug or content; a new slug changes its URL, and the old URL is 404. An update without effect keeps the version. With `If-Match`, a newer version is 412. If the article is published or scheduled, it needs the permission articles.publish too, and is 409 on a Site that wants reviews.',
  access: { ...writing, forDrafts: true },
  body: ArticleWrite,
  conditional: true,
  example: {
    body: { excerpt: articleExample.excerpt, seo_title: null },
    data: { ...articleExample, seo_title: null },
  },
  approval: {
    actions: ['article.update_published'],
    among: updateOfShown,
    target: (context) => toEdit(context.tx, context),
  },
  answers: { 200: ArticleShape },
  errors: ['SLUG_CONFLICT', 'PREREQUISITE_MISSING'],
  async change({ rows, effects, site, caller, actor, ports, params, body, ifMatch, purging, now }) {
    const [current, missing] = await Promise.all([
      toEdit(rows, { site, caller, params }),
      findMissingReferences(rows, site.id, body),
    ]);
    ifMatch(current.version, { alias: markedVersion(current) });
    const change = { tx: effects, site, actor, now, readWords: ports.renderer.readWords };
    const moves = await movesOf(rows, current, body);
    const article = await updateArticle(change, purging, current, body, { missing, moves });
    return ok(presentArticle(article), { version: article.version });
  },
});

const remove = operation({
  id: 'deleteArticle',
  method: 'DELETE',
  path: '/articles/:id',
  summary: 'Delete an article permanently',
  description:
    'There is no trash and no undo. Its comments and its pending edit are deleted too. If it was published, its URL is 404 from then on. If the article is published or scheduled, it needs the permission articles.publish too.',
  access: { ...writing, forDrafts: true },
  approval: { actions: ['article.delete'], target: (context) => toRemove(context.tx, context) },
  conditional: true,
  answers: { 204: null },
  async handle({ tx, site, caller, actor, params, ifMatch, purging, now }) {
    const current = await toRemove(tx, { site, caller, params });
    ifMatch(current.version, { alias: markedVersion(current) });
    await deleteArticle({ tx, site, actor, now }, purging, current);
    return noContent();
  },
});

const publish = operation({
  id: 'publishArticle',
  method: 'POST',
  path: '/articles/:id/publish',
  summary: 'Publish an article',
  description:
    'Needs a title, a slug and content (else 422), and a draft, a scheduled article or one that the pipeline has written (else 409). The times of the body count on the first publication only and must be in the past; by default they are now. Publishing again changes nothing. Needs the permission articles.publish too, and the approvals that the Site wants (409).',
  access: { ...writing, publishes: true },
  body: PublishBody.optional(),
  approval: { actions: ['article.publish'], target },
  answers: { 200: ArticleLifecycleState },
  headers: ['ETag'],
  errors: ['CONFLICT', 'PREREQUISITE_MISSING'],
  async change({ rows, effects, site, caller, actor, params, body, purging, now }) {
    const current = await toPublish(rows, { site, caller, params });
    const unapproved = await missingApprovals(rows, site, current.id, 'article');
    const change = { tx: effects, site, actor, now };
    const article = publishArticle(change, purging, current, body ?? {}, unapproved);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

const unpublish = operation({
  id: 'unpublishArticle',
  method: 'POST',
  path: '/articles/:id/unpublish',
  summary: 'Unpublish an article',
  description:
    'The article becomes a draft and keeps `published_at`, so that it returns to its place when it is published again. Its pending edit is discarded. On a draft, nothing changes. Needs the permission articles.publish too.',
  access: { ...writing, publishes: true },
  approval: { actions: ['article.unpublish'], target },
  example: { data: { ...publishedExample, status: 'draft' } },
  answers: { 200: ArticleLifecycleState },
  headers: ['ETag'],
  errors: ['CONFLICT'],
  async change({ rows, effects, site, caller, actor, params, purging, now }) {
    const current = await toPublish(rows, { site, caller, params });
    const article = unpublishArticle({ tx: effects, site, actor, now }, purging, current);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

const schedule = operation({
  id: 'scheduleArticle',
  method: 'POST',
  path: '/articles/:id/schedule',
  summary: 'Schedule an article for publication',
  description:
    'Needs what publishing needs, and a time in the future. Without an offset, the time is in the timezone of the Site. Scheduling again moves the time. A published article is 409. Needs the permission articles.publish too, and the approvals that the Site wants (409).',
  access: { ...writing, publishes: true },
  body: ScheduleBody,
  approval: { actions: ['article.schedule'], target },
  example: { data: scheduledExample },
  answers: { 200: ArticleLifecycleState },
  headers: ['ETag'],
  errors: ['CONFLICT', 'PREREQUISITE_MISSING'],
  async change({ rows, effects, site, caller, actor, params, body, now }) {
    const current = await toPublish(rows, { site, caller, params });
    const change = { tx: effects, site, actor, now };
    const unapproved = await missingApprovals(rows, site, current.id, 'article');
    const article = scheduleArticle(change, site.timezone, current, body.scheduled_publish_at, unapproved);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

const cancel = operation({
  id: 'cancelArticleSchedule',
  method: 'POST',
  path: '/articles/:id/cancel-schedule',
  summary: 'Cancel a schedule; the article becomes a draft',
  description:
    'On a draft, nothing changes; any other status than scheduled is 409. Needs the permission articles.publish too.',
  access: { ...writing, publishes: true },
  approval: { actions: ['article.schedule'], target },
  example: { data: draftExample },
  answers: { 200: ArticleLifecycleState },
  headers: ['ETag'],
  errors: ['CONFLICT'],
  async change({ rows, effects, site, caller, actor, params, now }) {
    const current = await toPublish(rows, { site, caller, params });
    const article = cancelSchedule({ tx: effects, site, actor, now }, current);
    return ok(presentLifecycle(article), { version: article.version });
  },
});

export const articleOperations = [list, create, read, update, remove, publish, unpublish, schedule, cancel];
