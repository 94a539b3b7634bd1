import type { Blueprint } from '../content-types/blueprint.ts';
import { defaultTemplates } from './default-templates.ts';
import type { PromptStage } from './stages.ts';

/** What every stage may be told about the blog (docs/spec/rulings.md, 25): the names of placeholders. */
const aboutNames = ['site', 'voice', 'notes', 'related', 'terms', 'sources', 'date'] as const;

export type AboutSite = Readonly<Record<(typeof aboutNames)[number], string>>;

/** The values of a template's placeholders. */
export interface TemplateValues {
  readonly title: string;
  readonly keywords: readonly string[];
  /** Text of the source, or the facts extracted from it; null without a source. */
  readonly source: string | null;
  /** The Site's locale, such as `en` or `de-AT`. */
  readonly locale: string;
  readonly blueprint: {
    readonly requires: readonly string[];
    readonly sections: readonly Readonly<Section>[];
  };
  readonly outline: {
    readonly sections: readonly { readonly heading: string; readonly points: readonly string[] }[];
  } | null;
  /** The written members of an article so far. */
  readonly written: object;
  readonly about: AboutSite;
}

type Section = Blueprint['sections'][number];

const placeholder = /\{\{\s*([a-zA-Z_]\w*)\s*\}\}/g;

/** Names of the placeholders in a template, without braces and repetitions, in their order. */
export const placeholdersOf = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].map(([, name]) => name as string)),
];

/** Placeholders of the platform's template that this one does not contain (docs/spec/service-api.md, Prompt). */
export function missingPlaceholders(stage: PromptStage, template: string): string[] {
  const used = new Set(placeholdersOf(template));
  return placeholdersOf(defaultTemplates[stage]).filter((name) => !used.has(name));
}

const NONE = '(none)';

const ofArticle: Readonly<Record<string, (values: TemplateValues) => string>> = {
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

/** Those about the blog are empty where they have nothing (docs/spec/rulings.md, 25), the others say so. */
const writers: Readonly<Record<string, (values: TemplateValues) => string>> = {
  ...Object.fromEntries(
    Object.entries(ofArticle).map(([name, write]) => [
      name,
      (values: TemplateValues) => write(values) || NONE,
    ]),
  ),
  ...Object.fromEntries(aboutNames.map((name) => [name, ({ about }: TemplateValues) => about[name]])),
};

function lengthOf({ min_words: least, max_words: most }: Readonly<Section>): string {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return ` (at most ${most} words)`;
  return most === undefined ? ` (at least ${least} words)` : ` (${least} to ${most} words)`;
}

/** The most characters of a prompt; longer ones are not sent. */
export const PROMPT_LENGTH = 200_000;

/**
 * Fills in the placeholders of a template. Braces within values are plain text, and so are unknown placeholders. The
 * length of the prompt is calculated before it is built.
 *
 * @returns the prompt, or its length in characters (code points) if that exceeds {@link PROMPT_LENGTH}
 */
export function renderTemplate(
  template: string,
  values: TemplateValues,
): { readonly prompt: string } | { readonly tooLong: number } {
  const filled = new Map<string, { readonly value: string; readonly length: number }>();
  let length = codePoints(template);
  for (const [whole, name = ''] of template.matchAll(placeholder)) {
    if (!Object.hasOwn(writers, name)) continue;
    const known = filled.get(name) ?? fill(name, values);
    filled.set(name, known);
    // A placeholder has no character outside the basic plane.
    length += known.length - whole.length;
  }
  if (length > PROMPT_LENGTH) return { tooLong: length };
  return {
    prompt: template.replaceAll(placeholder, (whole, name: string) => filled.get(name)?.value ?? whole),
  };
}

function fill(name: string, values: TemplateValues): { readonly value: string; readonly length: number } {
  const value = writers[name]?.(values) ?? '';
  return { value, length: codePoints(value) };
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
