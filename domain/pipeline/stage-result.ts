import type { ArticleChanges, ArticleStatus } from '../articles/article.ts';
import type { Plan } from './writer.ts';

/** What a stage came to. */
export interface StageResult {
  /** Where the article goes. */
  readonly status: ArticleStatus;
  /** What is written into the article. */
  readonly changes: ArticleChanges;
  readonly sourceText?: string | null;
  readonly score?: number;
  readonly outline?: Plan;
  /** For the people who read the run, such as that a source could not be read. */
  readonly note: string | null;
  readonly step: Step;
}

/** What was asked of the writer, and what came back. */
export interface Step {
  /** Null where the platform's own template was in effect. */
  readonly promptVersion: number | null;
  readonly prompt: string | null;
  readonly answer: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}
