import type { ArticleState } from './article-state.ts';
import { idOf } from '../kernel/ids.ts';
import type { Run } from './run.ts';
import { stageCost } from './stages.ts';
import type { RecordedStep } from './steps.ts';

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
  tokens: run.tokens,
  created_at: run.created_at.toISOString(),
  started_at: run.started_at?.toISOString() ?? null,
  finished_at: run.finished_at?.toISOString() ?? null,
});

/** A step as the API shows it (docs/spec/rulings.md, 25, It can be seen). */
export const presentStep = (step: RecordedStep) => ({
  id: idOf([step.run_id, step.article_id, step.stage, step.attempt].join('/')),
  article_id: step.article_id,
  stage: step.stage,
  attempt: step.attempt,
  status: step.status,
  model: step.model,
  started_at: (step.started_at ?? step.finished_at).toISOString(),
  finished_at: step.finished_at.toISOString(),
  tokens: tokensOf(step),
  credits: step.credits ?? stageCost[step.stage],
  error: step.error,
  prompt: step.prompt,
  answer: step.answer,
});

const tokensOf = ({ input_tokens: input, output_tokens: output }: RecordedStep) =>
  input === null && output === null ? null : { input: input ?? 0, output: output ?? 0 };

/** What the pipeline knows of an article, as the API shows it (docs/spec/rulings.md, 25, It can be seen). */
export const presentArticleState = (state: ArticleState) => ({
  article_id: state.article_id,
  status: state.status,
  score: state.score,
  duplicate_of: state.duplicate_of,
  outline: state.outline && {
    sections: state.outline.sections.map(({ heading, points, minWords }) => ({
      heading,
      points,
      min_words: minWords,
    })),
  },
  suggestions: state.suggestions && {
    titles: state.suggestions.titles,
    tag_ids: state.suggestions.tag_ids,
    category_id: state.suggestions.category_id,
    excerpt: state.suggestions.excerpt,
    seo_title: state.suggestions.seo_title,
    seo_description: state.suggestions.seo_description,
  },
  sources: state.sources,
  stages: state.stages.map(({ stage, status, run_id, finished_at: time }) => ({
    stage,
    status,
    run_id,
    finished_at: time && new Date(time).toISOString(),
  })),
  rejected:
    state.status === 'rejected' && state.rejected_at !== null
      ? { at: state.rejected_at.toISOString(), by: state.rejected_by, reason: state.rejected_reason }
      : null,
});
