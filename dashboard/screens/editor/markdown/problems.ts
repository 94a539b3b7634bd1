import type { syntaxTree } from '@codemirror/language';

type Tree = ReturnType<typeof syntaxTree>;
type SyntaxNode = Tree['topNode'];

/** The flaws of an article for its readers. */
export interface TextProblem {
  readonly kind: 'missingAlt' | 'skippedLevel' | 'emptyLinkText' | 'emptyLinkTarget';
  readonly from: number;
  readonly to: number;
}

/** More would help nobody, and every one costs. */
export const MOST_PROBLEMS = 100;

const HEADING = /^(?:ATX|Setext)Heading([1-6])$/;

/** @param read the text between two positions */
export function problemsIn(tree: Tree, read: (from: number, to: number) => string): TextProblem[] {
  const problems: TextProblem[] = [];
  // The title is the heading of the first level.
  let level = 1;
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      if (problems.length >= MOST_PROBLEMS) return false;
      const heading = HEADING.exec(name);
      if (heading !== null) {
        const own = Number(heading[1]);
        if (own > level + 1) problems.push({ kind: 'skippedLevel', from, to });
        level = own;
      }
      if (name === 'Image' && label(node, read) === '') problems.push({ kind: 'missingAlt', from, to });
      if (name === 'Link') problems.push(...problemsOfLink(node, read).map((kind) => ({ kind, from, to })));
      return true;
    },
  });
  return problems;
}

function problemsOfLink(node: SyntaxNode, read: (from: number, to: number) => string): TextProblem['kind'][] {
  if (label(node, read) === '') return ['emptyLinkText'];
  const isInline = node.getChildren('LinkMark').some(({ from }) => read(from, from + 1) === '(');
  const url = node.getChild('URL');
  const isEmpty = url === null || read(url.from, url.to) === '<>';
  return isInline && isEmpty ? ['emptyLinkTarget'] : [];
}

/** The text in the brackets of a link or an image. */
function label(node: SyntaxNode, read: (from: number, to: number) => string): string {
  const [open, close] = node.getChildren('LinkMark');
  return open === undefined || close === undefined ? '' : read(open.to, close.from).trim();
}
