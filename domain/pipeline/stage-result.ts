import type { Article, ArticleChanges, ArticleStatus } from '../articles/article.ts';
import type { Plan } from './writer.ts';

/** What a stage came to. */
export interface StageResult {
  /** Where the article goes, as it then is: what a person changed meanwhile has its say. */
  readonly destination: (article: Article) => Destination;
  /** What is written into the article. */
  readonly changes: ArticleChanges;
  readonly sourceText?: string | null;
  readonly score?: number;
  readonly outline?: Plan;
  readonly step: Step;
}

export interface Destination {
  readonly status: ArticleStatus;
  /** For the people who read the run, such as that a source could not be read. */
  readonly note: string | null;
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
