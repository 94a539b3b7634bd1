import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import { isUuid } from '../../packages/base/fields.ts';
import type { Agent } from './tools/agent.ts';
import type { Called } from './tools/inner-call.ts';
import { forAgents, OUTSIDE_NOTE } from './tools/outside-text.ts';
import { errorOf } from './tools/results.ts';

const ARTICLES = 'presswork://articles/';
const MARKDOWN = 'text/markdown';
const LISTED = 50;

export const articleTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: `${ARTICLES}{id}`,
      name: 'article',
      title: 'An article',
      description: 'The text of an article in Markdown, below what is known about it.',
      mimeType: MARKDOWN,
    },
  ],
};

/** Articles, the newest ones first; none if the key may not read them. @throws ProtocolError as {@link failure} tells */
export async function listArticleResources(
  { call }: Agent,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const query = new URLSearchParams({ limit: String(LISTED), order: 'updated_at.desc' });
  if (cursor !== undefined) query.set('cursor', cursor.toWellFormed());
  const called = await call({ method: 'GET', path: `/articles?${query.toString()}` });
  if (called.json?.error?.code === 'INSUFFICIENT_SCOPE') return { resources: [] };
  if (called.status !== 200) throw failure(called);
  const { items, next_cursor: next } = forAgents(called.json?.data).data as ArticlePage;
  return {
    resources: items.map(({ id, title, status }) => ({
      uri: ARTICLES + id,
      name: id,
      title: typeof title === 'string' && title !== '' ? title : `Article ${id}`,
      description: status,
      mimeType: MARKDOWN,
    })),
    ...(next !== null && { nextCursor: next }),
  };
}

interface ArticlePage {
  readonly items: readonly ArticleLine[];
  readonly next_cursor: string | null;
}

interface ArticleLine {
  readonly id: string;
  readonly status: string;
  /** An object if it is from outside. */
  readonly title: unknown;
}

/** @throws ResourceNotFoundError; ProtocolError as {@link failure} tells */
export async function readArticleResource({ call }: Agent, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(ARTICLES) ? uri.slice(ARTICLES.length) : '';
  if (!isUuid(id)) throw new ResourceNotFoundError(uri.slice(0, 200).toWellFormed());
  const called = await call({ method: 'GET', path: `/articles/${id}` });
  if (called.status === 403 || called.status === 404) throw new ResourceNotFoundError(uri);
  if (called.status !== 200) throw failure(called);
  const { data: article, hasOutsideText } = forAgents(called.json?.data);
  const { content, ...rest } = article as { content: unknown };
  const text = [
    ...(hasOutsideText ? [OUTSIDE_NOTE, ''] : []),
    '```json',
    JSON.stringify(rest, null, 2),
    '```',
    '',
    typeof content === 'string' || content === null ? (content ?? '') : JSON.stringify(content),
  ].join('\n');
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

/** What is wrong with a request, or keeps the service from answering it. */
const failure = (called: Called): ProtocolError =>
  new ProtocolError(
    called.status === 400 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    errorOf(called),
  );
