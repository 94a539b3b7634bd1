import type { ApprovalDetail, Article, Presswork, Prompts } from '../../../sdk/src/index.ts';
import { isMissing } from '../../api/queries.ts';
import { loadArticleChange } from './article-change.ts';
import type { ArticleChange } from './article-change.ts';

/** The subject of a request, as it is now. */
export interface Target {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether it changed after the agent asked, as far as that can be told. */
  readonly hasChanged: boolean;
  /** Of an image. */
  readonly imageUrl?: string;
  /** Of an article. */
  readonly text?: ArticleChange | null;
  /** The fields that it would have, if the body of the request does not say it. */
  readonly after?: Readonly<Record<string, unknown>>;
}

/** `none` if the request is about nothing that exists already, `gone` if it was deleted, `old` if it is not among the newest. */
export type Found = Target | 'none' | 'gone' | 'old';

interface Asked {
  readonly presswork: Presswork;
  readonly approval: ApprovalDetail;
  /** Of the target, from the path of the request. */
  readonly id: string;
  readonly options: { readonly signal: AbortSignal };
}

/** Reads the subject of the request. */
export async function loadTarget(
  presswork: Presswork,
  approval: ApprovalDetail,
  options: { readonly signal: AbortSignal },
): Promise<Found> {
  const asked = { presswork, approval, options };
  const [, resource = '', ...rest] = approval.path.split('/');
  const id = rest.find(isId)?.toLowerCase();
  const ids: unknown = approval.body?.['article_ids'];
  if (Array.isArray(ids))
    return loadTitles(asked, [...new Set(ids.map((each) => String(each).toLowerCase()))]);
  const load = id === undefined ? settings[approval.action] : loaders[resource];
  if (load === undefined) return 'none';
  try {
    return await load({ ...asked, id: id ?? '' });
  } catch (error) {
    if (isMissing(error)) return 'gone';
    throw error;
  }
}

const isId = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f-]{36}$/i.test(text);

const changedSince = ({ created_at: asked }: ApprovalDetail, time: string): boolean => time > asked;

const loaders: Readonly<Record<string, ((asked: Asked) => Promise<Found>) | undefined>> = {
  async articles({ presswork, approval, id, options }) {
    const [article, edit] = await Promise.all([
      presswork.articles.get(id, {}, options) as Promise<Article>,
      approval.action.startsWith('pending_edit.') ? presswork.articles.getPendingEdit(id, options) : null,
    ]);
    const { title, slug, status, published_at, scheduled_publish_at } = article;
    const isCancelled = approval.path.endsWith('/cancel-schedule');
    return {
      fields: {
        title,
        slug,
        status,
        published_at,
        ...(edit === null ? { scheduled_publish_at } : { scheduled_at: edit.scheduled_at }),
      },
      hasChanged:
        changedSince(approval, article.updated_at) ||
        (edit !== null && changedSince(approval, edit.updated_at)),
      text: await loadArticleChange(presswork, approval, article, edit?.article ?? null, options),
      ...(isCancelled && { after: { scheduled_publish_at: null, scheduled_at: null } }),
    };
  },
  async media({ presswork, id, options }) {
    const { file_name, alt_text, url: imageUrl } = await presswork.media.get(id, options);
    return { fields: { file_name, alt_text }, hasChanged: false, imageUrl };
  },
  async comments({ presswork, approval, id, options }) {
    const comment = await findNewest(presswork.comments.list({ limit: PAGE }, options), id);
    if (comment === null) return 'old';
    const { author_name, author_email, body, status, slug, updated_at: time } = comment;
    return {
      fields: { author_name, author_email, body, status, slug },
      hasChanged: changedSince(approval, time),
    };
  },
  async webhooks({ presswork, approval, id, options }) {
    const { url, events, description, enabled, updated_at: time } = await presswork.webhooks.get(id, options);
    return { fields: { url, events, description, enabled }, hasChanged: changedSince(approval, time) };
  },
  async categories({ presswork, approval, id, options }) {
    const { name, slug, article_count, updated_at: time } = await presswork.categories.get(id, options);
    return { fields: { name, slug, article_count }, hasChanged: changedSince(approval, time) };
  },
  async tags({ presswork, approval, id, options }) {
    const { name, slug, article_count, updated_at: time } = await presswork.tags.get(id, options);
    return { fields: { name, slug, article_count }, hasChanged: changedSince(approval, time) };
  },
  async authors({ presswork, approval, id, options }) {
    const { name, slug, article_count, updated_at: time } = await presswork.authors.get(id, options);
    return { fields: { name, slug, article_count }, hasChanged: changedSince(approval, time) };
  },
  /** Of what is delivered, only connections have an id in their path. */
  async delivery({ presswork, approval, id, options }) {
    const {
      kind,
      name,
      config,
      auto,
      enabled,
      updated_at: time,
    } = await presswork.connections.get(id, options);
    return { fields: { kind, name, config, auto, enabled }, hasChanged: changedSince(approval, time) };
  },
  async 'content-plan'({ presswork, approval, id, options }) {
    const item = await presswork.planItems.get(id, options);
    const { title, notes, keywords, status, updated_at: time } = item;
    return { fields: { title, notes, keywords, status }, hasChanged: changedSince(approval, time) };
  },
  /** A key is read in lists only; what the API kept of it also names its person. */
  async keys({ presswork, approval: { target }, id, options }) {
    const key = await findNewest(presswork.keys.list({ limit: PAGE }, options), id);
    if (key !== null && key.revoked_at !== null) return 'gone';
    const { type: _type, id: _id, ...fields } = target ?? {};
    return { fields, hasChanged: false };
  },
  async team({ presswork, approval: { target }, id, options }) {
    const { email, role } = await presswork.team.getMember(id, options);
    return { fields: { email, role }, hasChanged: target !== null && target['role'] !== role };
  },
};

/** What there is one of in a Site. */
const settings: Readonly<Record<string, ((asked: Asked) => Promise<Found>) | undefined>> = {
  'comments.settings': async ({ presswork, options }) => ({
    fields: { ...(await presswork.comments.getSettings(options)) },
    hasChanged: false,
  }),
  'autopilot.update': async ({ presswork, options }) => ({
    fields: { ...(await presswork.autopilot.get(options)) },
    hasChanged: false,
  }),
  'prompt.reset': async ({ presswork, approval, options }) => {
    const stage = approval.path.split('/').at(-1) as keyof Prompts;
    const { override, default: platform } = (await presswork.prompts.list(options))[stage];
    if (override === null) return 'gone';
    return {
      fields: { stage, template: override.template },
      hasChanged: changedSince(approval, override.updated_at),
      after: { template: platform.template },
    };
  },
};

/** An article of which a request has only the id. */
export interface NamedArticle {
  readonly id: string;
  readonly title: string;
}

const MOST_TITLES = 40;

/** How many articles a body names by their ids, their titles, and which ids have none. */
async function loadTitles({ presswork, options }: Omit<Asked, 'id'>, ids: readonly string[]): Promise<Found> {
  const found = await Promise.all(
    ids.slice(0, MOST_TITLES).map(async (id) => {
      try {
        const { title } = await presswork.articles.get(id, { fields: ['title'] }, options);
        return { id, title, isMissing: false };
      } catch (error) {
        if (isMissing(error)) return { id, title: null, isMissing: true };
        throw error;
      }
    }),
  );
  const idsOf = (those: typeof found): readonly string[] | null => orNull(those.map(({ id }) => id));
  return {
    fields: {
      article_count: ids.length,
      titles: orNull(
        found.flatMap(({ id, title }): NamedArticle[] => (title === null ? [] : [{ id, title }])),
      ),
      untitled: idsOf(found.filter(({ title, isMissing }) => title === null && !isMissing)),
      not_found: idsOf(found.filter(({ isMissing }) => isMissing)),
      not_named: ids.length > MOST_TITLES ? ids.length - MOST_TITLES : null,
    },
    hasChanged: false,
  };
}

const orNull = <Item>(items: readonly Item[]): readonly Item[] | null => (items.length === 0 ? null : items);

const PAGE = 100;
const MOST_PAGES = 5;

/** The API reads some things in lists only. */
async function findNewest<Item extends { readonly id: string }>(
  list: { pages(): AsyncIterable<{ readonly items: readonly Item[] }> },
  id: string,
): Promise<Item | null> {
  let pages = 0;
  for await (const { items } of list.pages()) {
    const found = items.find((item) => item.id === id);
    pages += 1;
    if (found !== undefined) return found;
    if (pages === MOST_PAGES) break;
  }
  return null;
}
