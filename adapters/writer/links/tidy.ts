import { ContentRefused } from '../../../packages/base/markdown/bounds.ts';
import type { Tree } from '../../../packages/base/markdown/read-html.ts';
import { renderTree } from '../../../packages/base/markdown/render.ts';
import { readMarks } from './marks.ts';
import type { Mark } from './marks.ts';

/** What a text may have. */
export interface Allowed {
  readonly targets: readonly string[];
  /** The labels of citations. */
  readonly citations: readonly string[];
  /** The labels of footnotes that a person wrote. */
  readonly notes: readonly string[];
}

/** The links, the citations and the footnotes of a text; at most so many links as one may have. */
export interface Cited {
  readonly targets: readonly string[];
  readonly citations: readonly string[];
  readonly notes: readonly string[];
}

const TARGETS = 2_000;
const TARGET_LENGTH = 2_000;
/** How often what is inside of a link that was taken out is looked at again. */
const ROUNDS = 20;

/** @returns null for a text that cannot be parsed */
export function citedIn({ text }: { readonly text: string }): Cited | null {
  return unlessRefused(() => {
    const marks = readMarks(normal(text));
    const of = (...kinds: readonly Mark['kind'][]): string[] => [
      ...new Set(marks.filter(({ kind }) => kinds.includes(kind)).map(({ target }) => target)),
    ];
    const targets = of('link', 'image').filter(({ length }) => length <= TARGET_LENGTH);
    return { targets: targets.slice(0, TARGETS), citations: of('citation'), notes: of('note') };
  });
}

/**
 * Takes out of a Markdown the links, images, citations and definitions that it may not have. The text of a link stays.
 *
 * @returns null for a text that cannot be parsed, or from which not everything can be taken out
 */
export function tidyText({ text, allowed }: { readonly text: string; readonly allowed: Allowed }) {
  return unlessRefused(() => {
    const targets = new Set(allowed.targets);
    const mayLead = (target: string): boolean => target.startsWith('#') || targets.has(target);
    const citations = new Set(allowed.citations);
    const notes = new Set(allowed.notes);
    const stays: Readonly<Record<Mark['kind'], (mark: Mark, used: ReadonlySet<string>) => boolean>> = {
      link: ({ target }) => mayLead(target),
      image: ({ target }) => mayLead(target),
      citation: ({ target }) => citations.has(target) || notes.has(target),
      note: ({ target }) => notes.has(target),
      definition: ({ target }, used) => used.has(target),
    };
    let current = normal(text);
    for (let round = 0; round < ROUNDS; round += 1) {
      const marks = readMarks(current);
      const used = new Set(
        marks.flatMap((mark) => (mark.label !== undefined && mayLead(mark.target) ? [mark.label] : [])),
      );
      const wrong = marks.filter((mark) => !stays[mark.kind](mark, used));
      if (wrong.length === 0) {
        if (!hasOnly(current, mayLead)) return null;
        // Definitions stand at the end, with blank lines before them.
        return round === 0 ? current : current.trimEnd();
      }
      const next = cut(current, wrong);
      if (next === current) return null;
      current = next;
    }
    return null;
  });
}

/** As the parser reads it. */
const normal = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');

function cut(text: string, marks: readonly Mark[]): string {
  const ranges = marks
    .flatMap(({ kind, cuts }) => (cuts ?? []).map(([start, end]) => ({ kind, start, end })))
    .toSorted((one, other) => one.start - other.start);
  let left = '';
  let at = 0;
  for (const { kind, start, end } of ranges) {
    if (end <= at) continue;
    const before = text.slice(at, Math.max(at, start));
    // Before a citation is a space that belongs to it.
    left += kind === 'citation' ? before.replace(/ $/, '') : before;
    at = end;
  }
  return left + text.slice(at);
}

/** Whether readers see no other links, whatever the HTML in the text is taken for. */
function hasOnly(text: string, mayLead: (target: string) => boolean): boolean {
  const waiting: Tree[] = [renderTree(text)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('children' in node) for (const child of node.children) waiting.push(child);
    if (node.type !== 'element') continue;
    const { href, src, cite, poster } = node.properties;
    for (const address of [href, src, cite, poster])
      if (typeof address === 'string' && address !== '' && !mayLead(address)) return false;
  }
  return true;
}

function unlessRefused<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof ContentRefused || error instanceof RangeError) return null;
    throw error;
  }
}
