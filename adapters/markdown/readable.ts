import { inlineElements } from './inline-elements.ts';
import type { Tree } from '../../packages/base/markdown/read-html.ts';

/**
 * The text of rendered Markdown as readers see it, in which blocks are apart. Descriptions of images are part of it, the
 * numbers of footnotes are not.
 */
export function readableText(tree: Tree): string {
  const parts: string[] = [];
  const read = (node: Tree): void => {
    if (node.type === 'text') parts.push(node.value);
    if (!('children' in node)) return;
    const apart = node.type === 'element' && !inlineElements.has(node.tagName);
    if (node.type === 'element') {
      const { dataFootnoteRef: reference, dataFootnoteBackref: back, alt } = node.properties;
      if (reference !== undefined || back !== undefined) return;
      if (typeof alt === 'string') parts.push(' ', alt);
    }
    if (apart) parts.push(' ');
    for (const child of node.children) read(child);
    if (apart) parts.push(' ');
  };
  read(tree);
  return parts.join('');
}
