import type { Stage } from '../../domain/pipeline/stages.ts';
import type { Language } from './topics.ts';

export interface StageFigures {
  readonly stage: Stage;
  /** Answers that were not asked again, and those of them that had the form that was asked for. */
  readonly answers: number;
  readonly fitting: number;
  readonly failed: boolean;
  /** Null if the endpoint does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly seconds: number;
}

/** Shares as their parts, so that those of several topics can be added up. */
export interface Part {
  readonly of: number;
  readonly good: number;
}

/** What is measured of a text, once as the model answered it and once as the product stored it. */
export interface TextFigures {
  readonly supported: Part;
  readonly citations: Part;
  readonly linksInside: Part;
  readonly linksOutside: number;
  readonly words: number;
  readonly readingEase: number | null;
}

export interface Finding {
  readonly topic: string;
  readonly kind: FindingKind;
  readonly detail: string;
}

export type FindingKind =
  | 'broken schema'
  | 'stage failed'
  | 'fact not in the source'
  | 'invented citation'
  | 'citation does not hold'
  | 'unsupported sentence'
  | 'link to nothing'
  | 'link outside'
  | 'too short'
  | 'obeyed a source'
  | 'took one side'
  | 'missed duplicate'
  | 'wrongly skipped';

export interface TopicResult {
  readonly language: Language;
  readonly name: string;
  readonly status: string;
  readonly isDuplicate: boolean;
  readonly isSkipped: boolean;
  readonly stages: readonly StageFigures[];
  readonly facts: Part | null;
  readonly wordsAsked: number;
  readonly answered: TextFigures | null;
  readonly stored: TextFigures | null;
  readonly findings: readonly Finding[];
}
