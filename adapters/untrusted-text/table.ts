import type { TemplateValues } from '../../domain/prompts/template.ts';
import type { Job } from '../jobs/job.ts';
import type { ToRender } from '../../packages/base/markdown/render.ts';

/**
 * A multiple of what the largest articles take: the parser itself counts what a text costs, and refuses it long before
 * (adapters/markdown/bounds.ts). A client that waits longer asks again.
 */
const prompt = { of: 'prompt', processorMs: 20_000, deadlineMs: 30_000, longestWaitMs: 5_000 } as const;
const batch = { of: 'batch', processorMs: 10_000, deadlineMs: 60_000, longestWaitMs: 60_000 } as const;
/** The largest images take half of it on a slow machine. Nothing waits here: the callers take turns (api/pages/media/make-variant.ts). */
const image = { of: 'batch', processorMs: 18_000, deadlineMs: 18_000, longestWaitMs: 18_000 } as const;

const links = () => import('../writer/links/tidy.ts');
const page = () => import('../pages/jobs.ts');

/** Everything that parses what strangers wrote or sent, and may take long. */
export const jobs = {
  renderMarkdown: {
    ...prompt,
    load: async () => {
      const { renderMarkdown } = await import('../../packages/base/markdown/render.ts');
      return ({ text, placement, definitions }: ToRender) => renderMarkdown(text, placement, definitions);
    },
  },
  readWords: { ...prompt, load: async () => (await import('../markdown/read-words.ts')).readWords },
  renderVariant: { ...image, load: async () => (await import('../variants/render.ts')).renderVariant },
  /** The largest file that a request can carry takes a second on a slow machine; before it may be an image of its Site. */
  readBacklinks: {
    ...batch,
    deadlineMs: 30_000,
    longestWaitMs: 20_000,
    load: async () => (await import('../backlinks/read-file.ts')).readFile,
  },
  /** The largest article takes a few seconds. */
  readOutline: {
    ...batch,
    processorMs: 15_000,
    load: async () => (await import('../articles/outline.ts')).readOutline,
  },
  mayVisit: { ...batch, load: async () => (await page()).mayVisit },
  sitemapsOf: { ...batch, load: async () => (await page()).sitemapsOf },
  readPage: { ...batch, load: async () => (await page()).readPage },
  readLinks: { ...batch, load: async () => (await page()).readLinks },
  readSitemap: { ...batch, load: async () => (await page()).readSitemap },
  readSource: { ...batch, load: async () => (await import('../writer/page.ts')).readPage },
  citedIn: { ...batch, processorMs: 20_000, load: async () => (await links()).citedIn },
  tidyText: { ...batch, processorMs: 20_000, load: async () => (await links()).tidyText },
  readAnswer: { ...batch, load: async () => (await import('../writer/llm/answer.ts')).readAnswer },
  readResults: { ...batch, load: async () => (await import('../research/results.ts')).readResults },
  renderPrompt: {
    ...batch,
    load: async () => {
      const { renderTemplate } = await import('../../domain/prompts/template.ts');
      return ({ template, values }: { readonly template: string; readonly values: TemplateValues }) =>
        renderTemplate(template, values);
    },
  },
  examineClaims: {
    ...batch,
    load: async () => (await import('../../domain/pipeline/claims/examine.ts')).examineClaims,
  },
  writeOffline: { ...batch, load: async () => (await import('../writer/offline/writer.ts')).writeOffline },
} satisfies Readonly<Record<string, Job>>;

export type JobName = keyof typeof jobs;
export type JobFunctions = { readonly [Name in JobName]: Awaited<ReturnType<(typeof jobs)[Name]['load']>> };
