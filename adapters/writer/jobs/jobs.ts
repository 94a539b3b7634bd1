import { renderTemplate } from '../../../domain/prompts/template.ts';
import type { TemplateValues } from '../../../domain/prompts/template.ts';
import type { Brief, Writer } from '../../../domain/pipeline/writer.ts';
import { readAnswer } from '../llm/answer.ts';
import { offlineWriter } from '../offline/writer.ts';
import { readPage } from '../page.ts';

export type OfflineStage = Exclude<keyof Writer, 'name'>;

/** The offline writer makes no calls: there is nothing to abort or share. */
const attempt = { siteId: '', signal: new AbortController().signal };

/** The jobs that parse untrusted text. Inputs and results are plain data. */
export const jobs = {
  readPage,
  readAnswer,
  renderPrompt: ({ template, values }: { readonly template: string; readonly values: TemplateValues }) =>
    renderTemplate(template, values),
  writeOffline: ({ stage, brief }: { readonly stage: OfflineStage; readonly brief: Brief }) =>
    offlineWriter[stage](brief, attempt),
};

export type Jobs = typeof jobs;
