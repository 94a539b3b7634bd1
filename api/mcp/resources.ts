import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import { isUuid } from '../schema/fields.ts';
import type { Agent } from './agent.ts';
import { forAgents, OUTSIDE_NOTE } from './tools/outside-text.ts';

const ARTICLES = 'presswork://articles/';
const MARKDOWN = 'text/markdown';
/** The newest ones; list_articles finds the others. */
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

/** The newest articles, if the key may read them. */
export async function listArticleResources({ call }: Agent): Promise<ListResourcesResult> {
  const path = `/articles?limit=${LISTED}&order=updated_at.desc`;
  const { status, json } = await call({ method: 'GET', path });
  if (status !== 200) return { resources: [] };
  const { items } = forAgents(json?.data).data as { items: readonly ArticleLine[] };
  return {
    resources: items.map(({ id, title, status }) => ({
      uri: ARTICLES + id,
      name: id,
      title: typeof title === 'string' && title !== '' ? title : `Article ${id}`,
      description: status,
      mimeType: MARKDOWN,
    })),
  };
}

interface ArticleLine {
  readonly id: string;
  readonly status: string;
  /** An object if it is from outside. */
  readonly title: unknown;
}

/** @throws ResourceNotFoundError */
export async function readArticleResource({ call }: Agent, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(ARTICLES) ? uri.slice(ARTICLES.length) : '';
  if (!isUuid(id)) throw new ResourceNotFoundError(uri.slice(0, 200).toWellFormed());
  const { status, json } = await call({ method: 'GET', path: `/articles/${id}` });
  if (status !== 200) throw new ResourceNotFoundError(uri);
  const { data: article, hasOutsideText } = forAgents(json?.data);
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
