import { WriterError } from '../../../domain/pipeline/writer.ts';
import type { Draft, Plan, Spent, Written } from '../../../domain/pipeline/writer.ts';
import { addUp } from './spent.ts';

type Section = Plan['sections'][number];

/** How a part of an article is asked for. */
export interface Parts {
  readonly section: (prompt: string) => Promise<Written<Pick<Draft, 'content'>>>;
  readonly frame: (prompt: string) => Promise<Written<Omit<Draft, 'content'>>>;
}

/** Models fall short of longer texts, and lose their end at the limit of an answer. */
const LONG_WORDS = 1_500;
/** Characters that the model is shown: of the text before a section, and of the whole text to sum it up. */
const BEFORE_LENGTH = 4_000;
const WHOLE_LENGTH = 100_000;

export const isLong = (outline: Plan | null): outline is Plan =>
  outline !== null && outline.sections.reduce((sum, { minWords }) => sum + (minWords ?? 0), 0) > LONG_WORDS;

/** Writes a long article section by section, and then what goes around its text. */
export async function writeLong(outline: Plan, prompt: string, ask: Parts): Promise<Written<Draft>> {
  const { sections } = outline;
  const written: Spent[] = [];
  let content = '';
  const failed = (error: unknown): never => {
    throw error instanceof WriterError ? error.after(addUp([...written, error.spent])) : error;
  };
  for (const [index, section] of sections.entries()) {
    const order = orderOf(section, index, sections.length, content);
    const part = await ask.section(`${prompt}\n\n${order}`).catch(failed);
    written.push(part);
    content += `${index === 0 ? '' : '\n\n'}${withHeading(part.value.content, section)}`;
  }
  const frame = await ask
    .frame(
      `${prompt}\n\nThe text is written. Fill in everything else, by this text alone:\n\n${content.slice(0, WHOLE_LENGTH)}`,
    )
    .catch(failed);
  written.push(frame);
  return { value: { content, ...frame.value }, ...addUp(written) };
}

function orderOf({ heading, points, minWords }: Section, index: number, of: number, before: string): string {
  const words = minWords === null ? '' : ` It has at least ${minWords} words.`;
  const follows =
    before === ''
      ? ''
      : ` It follows this text, and repeats nothing of it:\n\n${before.slice(-BEFORE_LENGTH)}`;
  return (
    `Write section ${index + 1} of ${of} now, and nothing else of the article: “${heading}”. ` +
    `Its points: ${points.join('; ')}.${words}${follows}`
  );
}

/** Some models leave out the heading that they were given. */
const withHeading = (content: string, { heading }: Section): string =>
  content.trimStart().startsWith('#') ? content.trim() : `## ${heading}\n\n${content.trim()}`;
