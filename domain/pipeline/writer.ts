import { z } from 'zod';
import type { Blueprint } from '../content-types/blueprint.ts';

const line = z.string().min(1).max(5_000);

/** How well a topic suits the blog, 0 to 100. */
export const judgement = z.object({ score: z.int().min(0).max(100), reason: z.string().max(1_000) });

/** What a source says, a fact a line. */
export const extraction = z.object({ facts: z.array(line).max(100) });

export const plan = z.object({
  sections: z
    .array(
      z.object({
        heading: z.string().min(1).max(300),
        /** What the section is to say, in a line each. */
        points: z.array(line).max(50),
        minWords: z.int().min(0).nullable(),
      }),
    )
    .min(1)
    .max(50),
});

/** A written article; the members are those of the API (specification, Article). */
export const draft = z.object({
  /** Markdown. */
  content: z.string().min(1).max(900_000),
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
        .array(z.object({ label: line, values: z.array(z.string().max(5_000)) }))
        .min(1)
        .max(100),
    })
    .refine(({ columns, rows }) => rows.every(({ values }) => values.length === columns.length), {
      error: 'every row must have as many values as there are columns',
    })
    .nullable(),
});

export type Judgement = z.infer<typeof judgement>;
export type Extraction = z.infer<typeof extraction>;
export type Plan = z.infer<typeof plan>;
export type Draft = z.infer<typeof draft>;

/** What a stage is to be done with. */
export interface Brief {
  readonly title: string;
  readonly keywords: readonly string[];
  /** Text of the source page, or what was made of it; null without one. */
  readonly source: string | null;
  /** Of the Site, such as `en` or `de-AT`. */
  readonly locale: string;
  readonly blueprint: Blueprint;
  readonly outline: Plan | null;
  /** What has been written so far. */
  readonly written: Partial<Draft>;
  /** The instructions of the stage, its placeholders filled in. */
  readonly prompt: string;
}

/** What a writer came up with. */
export interface Written<T> {
  readonly value: T;
  /** As a language model gave it; null where none was asked. */
  readonly answer: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface Attempt {
  /** Aborted where nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Writes articles, a stage at a time.
 *
 * A method throws {@link WriterError} with `final` where trying again cannot help; any other error is worth another try.
 */
export interface Writer {
  readonly name: 'offline' | 'llm';
  classify(brief: Brief, attempt: Attempt): Promise<Written<Judgement>>;
  extract(brief: Brief, attempt: Attempt): Promise<Written<Extraction>>;
  plan(brief: Brief, attempt: Attempt): Promise<Written<Plan>>;
  generate(brief: Brief, attempt: Attempt): Promise<Written<Draft>>;
  improve(brief: Brief, attempt: Attempt): Promise<Written<Draft>>;
}

/** What went wrong at the writer; its message may be shown to the people who read the run. */
export class WriterError extends Error {
  override name = 'WriterError';
  /** Whether trying again cannot help. */
  readonly final: boolean;
  /** What the provider asks to wait before the next try. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { final: boolean; retryAfterMs?: number; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.final = options.final;
    this.retryAfterMs = options.retryAfterMs;
  }
}
