import type { Nodes, Paragraph, PhrasingContent, Root } from 'mdast';
import { tidyLine, trim } from './tidy-line.ts';

/** Makes a tree that was read from HTML one that people would have written. */
export function tidy(tree: Nodes): Root {
  const root = tree.type === 'root' ? tree : ({ type: 'root', children: [tree] } as Root);
  tidyBlocks(root);
  return root;
}

function tidyBlocks(node: Nodes): void {
  if (!('children' in node)) return;
  const children = node.children.flatMap((child): Nodes[] => {
    if (child.type === 'paragraph') return paragraphsOf(child);
    if (child.type === 'heading') {
      child.children = trim(tidyLine(child.children.map(withoutBreaks)));
      return child.children.length > 0 ? [child] : [];
    }
    if (child.type === 'tableCell') child.children = trim(tidyLine(child.children));
    else tidyBlocks(child);
    return [child];
  });
  node.children = children as typeof node.children;
}

function withoutBreaks(node: PhrasingContent): PhrasingContent {
  if (node.type === 'break') return { type: 'text', value: ' ' };
  if ('children' in node) node.children = node.children.map(withoutBreaks);
  return node;
}

/** Two line breaks in a row end a paragraph. */
function paragraphsOf({ children }: Paragraph): Paragraph[] {
  return split(children)
    .map((part): Paragraph => ({ type: 'paragraph', children: trim(tidyLine(part)) }))
    .filter((paragraph) => paragraph.children.length > 0);
}

/** Divides content at double line breaks, those inside of its formatting included. */
function split(nodes: readonly PhrasingContent[]): PhrasingContent[][] {
  const parts: PhrasingContent[][] = [[]];
  let broken = false;
  for (const node of nodes) {
    if (node.type === 'break' && broken) parts.push([]);
    else if ('children' in node) {
      const [first = [], ...rest] = split(node.children);
      parts.at(-1)?.push({ ...node, children: first });
      for (const part of rest) parts.push([{ ...node, children: part }]);
    } else parts.at(-1)?.push(node);
    broken = node.type === 'break' || (broken && node.type === 'text' && node.value.trim() === '');
  }
  return parts;
}
