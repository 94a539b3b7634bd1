import type { ApiClient } from '../../packages/command/api-client.ts';
import { isExported, members, statuses } from './article.ts';
import type { ProgressFile } from './progress-file.ts';

/** The articles of a Site at the beginning of an export. */
export interface Listed {
  /** `updated_at` of the articles that are exported, by id. */
  readonly versions: ReadonlyMap<string, string>;
  /** The number of the others, by status. */
  readonly others: ReadonlyMap<string, number>;
}

/** Lists all articles, without large members. */
export async function listArticles(client: ApiClient): Promise<Listed> {
  const versions = new Map<string, string>();
  const others = new Map<string, number>();
  // In this order, changes do not move an article from one page to another.
  const list = client.articles.list({ order: 'created_at.desc', fields: ['id', 'status', 'updated_at'] });
  for await (const article of list) {
    const { id, status, updated_at: updatedAt } = article;
    if (isExported(article)) versions.set(id, updatedAt);
    else others.set(status, (others.get(status) ?? 0) + 1);
  }
  return { versions, others };
}

/**
 * Reads the articles that the progress file lacks, and drops those from it that were deleted or changed since they were read.
 *
 * They are read in the order of their changes: one that changes meanwhile comes again, and an export that is continued begins
 * with the first article that is missing.
 *
 * @param onRead called with the number of articles that have been read
 */
export async function readArticles(
  client: ApiClient,
  { versions }: Listed,
  progress: ProgressFile,
  onRead: (count: number) => void,
): Promise<void> {
  for (const { id, updated_at: updatedAt } of progress.articles) {
    if (versions.get(id) !== updatedAt) progress.forget(id);
  }
  let first: string | undefined;
  for (const [id, updatedAt] of versions) {
    if (progress.get(id) === undefined && (first === undefined || updatedAt < first)) first = updatedAt;
  }
  onRead(progress.size);
  if (first === undefined) return;
  const list = client.articles.list({
    order: 'updated_at.asc',
    updated_since: first,
    status: statuses,
    fields: members,
  });
  for await (const { items } of list.pages()) {
    await progress.add(
      items.filter(({ id, updated_at: updatedAt }) => progress.get(id)?.updated_at !== updatedAt),
    );
    onRead(progress.size);
  }
}
