import { LINE_LENGTH } from '../../../domain/pipeline/writer.ts';
import type { Brief, Draft, Plan } from '../../../domain/pipeline/writer.ts';
import { sentenceOf, shorten } from './text.ts';

type Blocks = Pick<Draft, 'key_takeaways' | 'faqs' | 'howto_steps' | 'comparison'>;

/** The structured blocks that the format requires, made from the outline. */
export function makeBlocks(brief: Brief, plan: Plan): Blocks {
  const needs = (block: Brief['blueprint']['requires'][number]) => brief.blueprint.requires.includes(block);
  return {
    key_takeaways: needs('key_takeaways') ? takeaways(plan) : null,
    faqs: needs('faqs') ? questions(brief, plan) : null,
    howto_steps: needs('howto_steps') ? steps(plan) : null,
    comparison: needs('comparison') ? comparison(brief, plan) : null,
  };
}

const line = (text: string): string => shorten(text, LINE_LENGTH);

/** All that a section is about. */
const textOf = ({ points, heading }: Plan['sections'][number]): string =>
  line(points.length === 0 ? sentenceOf(heading) : points.map(sentenceOf).join(' '));

const firstPoint = ({ points, heading }: Plan['sections'][number]): string => points[0] ?? heading;

const takeaways = ({ sections }: Plan): string[] =>
  sections
    .slice(0, 5)
    .map((section) => shorten(sentenceOf(`${section.heading}: ${firstPoint(section)}`), 300));

const questions = ({ title }: Brief, { sections }: Plan) =>
  sections.slice(0, 5).map((section) => ({
    question: line(
      `${title.replace(/[.?!]+$/, '')}: what about “${section.heading.replace(/[.?!]+$/, '')}”?`,
    ),
    answer: textOf(section),
  }));

const steps = ({ sections }: Plan) =>
  sections.map((section) => ({
    name: shorten(section.heading, 200),
    text: textOf(section),
  }));

/** Compares the two sides named by the title or the keywords, section by section. */
function comparison({ title, keywords }: Brief, { sections }: Plan): NonNullable<Draft['comparison']> {
  const sides = title.split(/\s+(?:vs\.?|versus|or|against)\s+/i).map((side) => side.trim());
  const named = sides.length >= 2 ? sides : keywords;
  const columns =
    named.length >= 2
      ? named.slice(0, 3).map((name) => shorten(name, 100))
      : ['What speaks for it', 'What to mind'];
  return {
    title: shorten(title, 200),
    columns,
    rows: sections.slice(0, 8).map((section) => ({
      label: shorten(section.heading, 200),
      values: columns.map((_, index) => line(sentenceOf(section.points[index] ?? 'To be filled in'))),
    })),
  };
}
