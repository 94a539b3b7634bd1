import type { Blueprint } from '../content-types/blueprint.ts';
import { defaultTemplates } from './default-templates.ts';
import type { PromptStage } from './stages.ts';

/** What the placeholders of a template stand for. */
export interface TemplateValues {
  readonly title: string;
  readonly keywords: readonly string[];
  /** Text of the source, or the facts made of it; null without one. */
  readonly source: string | null;
  /** Of the Site, such as `en` or `de-AT`. */
  readonly locale: string;
  readonly blueprint: {
    readonly requires: readonly string[];
    readonly sections: readonly Readonly<Section>[];
  };
  readonly outline: {
    readonly sections: readonly { readonly heading: string; readonly points: readonly string[] }[];
  } | null;
  /** What has been written so far: members of an article. */
  readonly written: object;
}

type Section = Blueprint['sections'][number];

const placeholder = /\{\{\s*([a-zA-Z_]\w*)\s*\}\}/g;

/** Names of the placeholders in a template, without braces, each once, in their order. */
export const placeholdersOf = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map(([, name]) => name as string)),
];

/** Placeholders of the platform's template that this one leaves out (specification, Prompt). */
export function missingPlaceholders(stage: PromptStage, template: string): string[] {
  const used = new Set(placeholdersOf(template));
  return placeholdersOf(defaultTemplates[stage]).filter((name) => !used.has(name));
}

const NONE = '(none)';

const writers: Readonly<Record<string, (values: TemplateValues) => string>> = {
  title: ({ title }) => title,
  keywords: ({ keywords }) => keywords.join(', '),
  source: ({ source }) => source ?? '',
  locale: ({ locale }) => locale,
  sections: ({ blueprint: { sections } }) =>
    sections
      .map((section, index) => `${index + 1}. ${section.heading}${lengthOf(section)}: ${section.guidance}`)
      .join('\n'),
  blocks: ({ blueprint: { requires } }) => requires.join(', '),
  outline: ({ outline }) =>
    (outline?.sections ?? [])
      .map(({ heading, points }) => [`## ${heading}`, ...points.map((point) => `- ${point}`)].join('\n'))
      .join('\n\n'),
  article: ({ written }) => {
    const parts = Object.entries(written).filter(([, value]) => value !== null && value !== undefined);
    return parts.length === 0 ? '' : JSON.stringify(Object.fromEntries(parts), null, 2);
  },
};

function lengthOf({ min_words: least, max_words: most }: Readonly<Section>): string {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return ` (at most ${most} words)`;
  return most === undefined ? ` (at least ${least} words)` : ` (${least} to ${most} words)`;
}

/**
 * A template with its placeholders filled in. What a value itself has in braces is text, and so is a placeholder
 * that means nothing.
 */
export function renderTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(placeholder, (whole, name: string) => {
    if (!Object.hasOwn(writers, name)) return whole;
    return writers[name]?.(values) || NONE;
  });
}
