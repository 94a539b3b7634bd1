import type { Run } from './run.ts';

/** A run as the API shows it (docs/spec/rulings.md, 10). */
export const presentRun = (run: Run) => ({
  id: run.id,
  status: run.status,
  reason: run.reason,
  writer: run.writer,
  articles: run.articles.map(({ article_id, status, stage, error, duplicate_of, score }) => ({
    article_id,
    status,
    stage,
    error,
    duplicate_of,
    score,
  })),
  totals: {
    articles: run.articles.length,
    stages_done: run.stages_done,
    stages_total: run.stages_total,
  },
  credits_spent: run.credits_spent,
  created_at: run.created_at.toISOString(),
  started_at: run.started_at?.toISOString() ?? null,
  finished_at: run.finished_at?.toISOString() ?? null,
});
