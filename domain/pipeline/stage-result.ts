import type { Article, ArticleChanges, ArticleStatus } from '../articles/row.ts';
import type { Extract, FetchedPage } from './sources.ts';
import type { Claims } from './claims/claim.ts';
import type { Plan, Proposal } from './writer.ts';

/** The result of a stage. */
export interface StageResult {
  /** The next status, for the article after the result is written, including edits by people. */
  readonly destination: (article: Article) => Destination;
  /** The fields to write into the article. */
  readonly changes: ArticleChanges;
  readonly sourceText?: string | null;
  readonly extracts?: readonly Extract[];
  /** Pages that become sources, after those that people gave meanwhile. */
  readonly pages?: readonly FetchedPage[];
  readonly score?: number;
  /** The article that is about the same. */
  readonly duplicateOf?: string;
  readonly outline?: Plan;
  readonly suggestions?: Proposal | null;
  readonly claims?: Claims;
  readonly step: Step;
}

export interface Destination {
  readonly status: ArticleStatus;
  /** For the readers of the run, such as that a source could not be read. */
  readonly note: string | null;
}

/** An attempt at a stage: the prompt and the writer's answer. */
export interface Step {
  readonly startedAt: Date;
  /** Null for the offline writer. */
  readonly model: string | null;
  /** Null if the platform's template was in effect. */
  readonly promptVersion: number | null;
  readonly prompt: string | null;
  readonly answer: string | null;
  /** Of all calls of the attempt. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Why a search before it failed, for the readers of the run. */
  readonly searchFailed?: string | null;
}
