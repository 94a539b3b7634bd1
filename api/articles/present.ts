import type { Article } from '../../domain/articles/article.ts';
import type { ListedArticle } from '../../domain/articles/list.ts';
import { presentArticle } from '../../domain/articles/present.ts';
import { project } from '../schema/query.ts';

/**
 * A row of the list with the members that were asked for. A row read in brief lacks the others, and they are
 * not shown.
 */
export const presentListed = (row: ListedArticle, names: ReadonlySet<string>): object =>
  project(presentArticle({ content_updated_at: null, ...row } as Article), names);
