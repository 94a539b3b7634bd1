import { presentArticle } from '../articles/present.ts';
import { edited } from './pending-edit.ts';
import type { EditedArticle } from './pending-edit.ts';

/** A pending edit as the API returns it; `conflict` only if there is one (docs/spec/rulings.md, 15, Pending edit). */
export const presentPendingEdit = ({ article, edit }: EditedArticle) => ({
  base_version: edit.base_version,
  article: presentArticle(edited(article, edit)),
  updated_at: edit.updated_at.toISOString(),
  scheduled_at: edit.scheduled_at?.toISOString() ?? null,
  ...(edit.conflict.length > 0 && { conflict: edit.conflict }),
});
