import { z } from 'zod';
import type { Blueprint } from '../content-types/blueprint.ts';
import type { BriefSource } from '../prompts/about-site.ts';
import type { AboutSite } from '../prompts/template.ts';
import type { FoundClaim } from './claims/claim.ts';
import type { Stage } from './stages.ts';

/** Characters of a member of a list, and of a content, as for the API's clients (docs/spec/rulings.md, 4). */
export const LINE_LENGTH = 5_000;
export const CONTENT_LENGTH = 900_000;

const line = z.string().min(1).max(LINE_LENGTH);

/** How well a topic fits the blog, 0 to 100. */
export const judgement = z.object({ score: z.int().min(0).max(100), reason: z.string().max(1_000) });

/** The facts of a source, one a line. */
export const extraction = z.object({ facts: z.array(line).max(100) });

/** What to search for. */
export const questions = z.object({ questions: z.array(z.string().min(1).max(300)).max(8) });

export const plan = z.object({
  sections: z
    .array(
      z.object({
        heading: z.string().min(1).max(300),
        /** The points of the section, one a line. */
        points: z.array(line).max(50),
        minWords: z.int().min(0).nullable(),
      }),
    )
    .min(1)
    .max(50),
});

/** A written article; the members are those of the API (docs/spec/service-api.md, Article). */
export const draft = z.object({
  /** Markdown. */
  content: z.string().min(1).max(CONTENT_LENGTH),
  excerpt: z.string().min(1).max(2_000),
  seo_title: z.string().min(1).max(300),
  seo_description: z.string().min(1).max(1_000),
  seo_keywords: z.array(line).max(100),
  key_takeaways: z.array(line).max(100).nullable(),
  faqs: z
    .array(z.object({ question: line, answer: line }))
    .max(100)
    .nullable(),
  howto_steps: z
    .array(z.object({ name: line, text: line }))
    .max(100)
    .nullable(),
  comparison: z
    .object({
      title: z.string().max(300).nullable(),
      columns: z.array(line).min(1).max(100),
      rows: z
        .array(z.object({ label: line, values: z.array(z.string().max(LINE_LENGTH)) }))
        .min(1)
        .max(100),
    })
    .refine(({ columns, rows }) => rows.every(({ values }) => values.length === columns.length), {
      error: 'every row must have as many values as there are columns',
    })
    .nullable(),
});

/** What an editor proposes besides; tags and category by the names that the prompt gives. */
export const proposal = z.object({
  titles: z.array(z.string().min(1).max(300)).max(3),
  tags: z.array(line).max(100),
  category: line.nullable(),
  excerpt: draft.shape.excerpt.nullable(),
  seo_title: draft.shape.seo_title.nullable(),
  seo_description: draft.shape.seo_description.nullable(),
});

/** A revised article. */
export const revision = draft.extend({ suggestions: proposal.nullable().default(null) });

export type Judgement = z.infer<typeof judgement>;
export type Extraction = z.infer<typeof extraction>;
export type Questions = z.infer<typeof questions>;
export type Plan = z.infer<typeof plan>;
export type Draft = z.infer<typeof draft>;
export type Proposal = z.infer<typeof proposal>;
export type Revision = z.infer<typeof revision>;

/** The input of a stage. */
export interface Brief {
  readonly title: string;
  readonly keywords: readonly string[];
  /** Text of the source page, or the facts extracted from it; null without a source. */
  readonly source: string | null;
  readonly sources: readonly BriefSource[];
  /** What people say about the topic. */
  readonly notes: string | null;
  /** The Site's locale, such as `en` or `de-AT`. */
  readonly locale: string;
  readonly blueprint: Blueprint;
  readonly outline: Plan | null;
  /** The text so far. */
  readonly written: Partial<Draft>;
  /** What prompts may say of the blog. */
  readonly about: AboutSite;
  /** The instructions of the stage, with placeholders filled in; empty for the offline writer, which sends none. */
  readonly prompt: string;
}

/** What a writer was answered, and what its calls used. */
export interface Spent {
  /** The raw answer of the language model, the last one of several; null if none was called. */
  readonly answer: string | null;
  /** Of all calls; null if none was made, or the provider does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

const NOTHING: Spent = { answer: null, inputTokens: null, outputTokens: null };

/** The result of a writer. */
export interface Written<T> extends Spent {
  readonly value: T;
}

export interface Attempt {
  /** The Site of the article: resources that Sites share are divided by it. */
  readonly siteId: string;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * Writes articles, one stage at a time.
 *
 * A method throws {@link WriterError} with `final` if a retry cannot help; any other error may be retried.
 */
export interface Writer {
  readonly name: 'offline' | 'llm';
  /** The model that writes a stage; null for the offline writer. */
  modelOf(stage: Stage): string | null;
  classify(brief: Brief, attempt: Attempt): Promise<Written<Judgement>>;
  /** Before `extract`. The offline writer has none to ask. */
  questions?(brief: Brief, attempt: Attempt): Promise<Written<Questions>>;
  extract(brief: Brief, attempt: Attempt): Promise<Written<Extraction>>;
  plan(brief: Brief, attempt: Attempt): Promise<Written<Plan>>;
  generate(brief: Brief, attempt: Attempt): Promise<Written<Draft>>;
  improve(brief: Brief, attempt: Attempt): Promise<Written<Revision>>;
  /** What the text so far claims, as a model says. A writer that asks none does not have it. */
  claims?(brief: Brief, attempt: Attempt): Promise<Written<readonly FoundClaim[]>>;
}

/** A failure of the writer; its message may be shown to the readers of the run. */
export class WriterError extends Error {
  override name = 'WriterError';
  /** Whether a retry cannot help. */
  readonly final: boolean;
  /** The wait before the next try, as requested by the provider. */
  readonly retryAfterMs: number | undefined;
  /** How many calls a model answered, or worked on until their time-out, without a usable answer. */
  readonly failedCalls: number;
  /** Whether the stage failed because of its input, and is charged although it fails. */
  readonly charged: boolean;
  /** For the readers of the step. */
  readonly code: string;
  // Loggers write the properties of an error, and an answer is in no log.
  #spent = NOTHING;

  constructor(
    message: string,
    options: {
      final: boolean;
      retryAfterMs?: number;
      failedCalls?: number;
      charged?: boolean;
      code?: string;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.final = options.final;
    this.retryAfterMs = options.retryAfterMs;
    this.failedCalls = options.failedCalls ?? 0;
    this.charged = options.charged ?? false;
    this.code = options.code ?? 'WRITER_FAILED';
  }

  /** What the attempt used until it failed. */
  get spent(): Spent {
    return this.#spent;
  }

  after(spent: Spent): this {
    this.#spent = spent;
    return this;
  }
}
