import type { ApprovalDetail, Comment, Presswork } from '../../../sdk/src/index.ts';
import { isMissing } from '../../api/queries.ts';

/** What a request is about, as it is now. */
export interface Target {
  readonly fields: Readonly<Record<string, unknown>>;
  /** When it last changed; null if that is not known. */
  readonly changedAt: string | null;
  /** Of an image. */
  readonly imageUrl?: string;
}

/** `none` if the request is about nothing that exists already, `gone` if it was deleted, `old` if it is not found among the newest. */
export type Found = Target | 'none' | 'gone' | 'old';

type Options = { readonly signal: AbortSignal };

/** Reads what the request is about. Of keys and members the API tells how they were when the agent asked. */
export async function loadTarget(
  presswork: Presswork,
  { path, target }: ApprovalDetail,
  options: Options,
): Promise<Found> {
  if (target !== null) {
    const { type: _type, id: _id, ...fields } = target;
    return { fields, changedAt: null };
  }
  const [, resource = '', id = ''] = path.split('/');
  const load = loaders[resource];
  if (load === undefined || !isId(id)) return 'none';
  try {
    return await load(presswork, id, options);
  } catch (error) {
    if (isMissing(error)) return 'gone';
    throw error;
  }
}

const isId = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);

const loaders: Readonly<
  Record<string, ((presswork: Presswork, id: string, options: Options) => Promise<Found>) | undefined>
> = {
  articles: async (presswork, id, options) => {
    const fields = ['title', 'slug', 'status', 'excerpt', 'published_at', 'updated_at'] as const;
    const article = await presswork.articles.get(id, { fields }, options);
    const { title, slug, status, excerpt, published_at, updated_at: changedAt } = article;
    return { fields: { title, slug, status, excerpt, published_at }, changedAt };
  },
  media: async (presswork, id, options) => {
    const { file_name, alt_text, url: imageUrl } = await presswork.media.get(id, options);
    return { fields: { file_name, alt_text }, changedAt: null, imageUrl };
  },
  comments: async (presswork, id, options) => {
    const comment = await findComment(presswork, id, options);
    if (comment === undefined) return 'old';
    const { author_name, author_email, body, status, slug, updated_at: changedAt } = comment;
    return { fields: { author_name, author_email, body, status, slug }, changedAt };
  },
  webhooks: async (presswork, id, options) => {
    const webhook = await presswork.webhooks.get(id, options);
    const { url, events, description, enabled, updated_at: changedAt } = webhook;
    return { fields: { url, events, description, enabled }, changedAt };
  },
};

const PAGE = 100;
const MOST_PAGES = 5;

/** The API reads comments in lists only. */
async function findComment(presswork: Presswork, id: string, options: Options): Promise<Comment | undefined> {
  let pages = 0;
  for await (const { items } of presswork.comments.list({ limit: PAGE }, options).pages()) {
    const found = items.find((comment) => comment.id === id);
    pages += 1;
    if (found !== undefined || pages === MOST_PAGES) return found;
  }
  return undefined;
}
