import { isTaken } from './plan-item.ts';
import type { PlanItem } from './plan-item.ts';

/** An item of the plan as the API shows it (docs/spec/rulings.md, 19). */
export const presentPlanItem = (item: PlanItem) => ({
  id: item.id,
  title: item.title,
  notes: item.notes,
  keywords: item.keywords,
  source_url: item.source_url,
  source_urls: item.source_urls,
  format_id: item.format_id,
  category_id: item.category_id,
  author_id: item.author_id,
  target_date: item.target_date,
  status: item.status,
  rank: item.rank,
  article_id: isTaken(item) ? item.article_id : null,
  run_id: isTaken(item) ? item.run_id : null,
  created_at: item.created_at.toISOString(),
  updated_at: item.updated_at.toISOString(),
});
