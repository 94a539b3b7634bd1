import { sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { place } from './place.ts';
import type { Placement } from './place.ts';
import { readHtml } from './read-html.ts';
import type { Tree } from './read-html.ts';
import { schema } from './schema.ts';

/**
 * Reads HTML as a browser does, keeps the elements that the schema names, and places them.
 *
 * @throws ContentRefused
 */
export function sanitise(html: string, placement: Placement = {}): Tree {
  const tree = readHtml(html);
  normalize(tree);
  const clean = sanitize(tree, schema);
  place(clean, placement);
  return clean;
}

export const writeHtml = (tree: Tree): string =>
  toHtml(tree, { characterReferences: { useNamedReferences: true } });

/**
 * Applies the rules that a schema cannot express. Of form controls, only the disabled checkbox of a task list stays. Nothing plays by
 * itself, so that whatever plays has controls. The schema compares the schemes of addresses in lower case.
 */
function normalize(node: Tree): void {
  if (!('children' in node)) return;
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    const { tagName, properties } = child;
    if (tagName === 'input' && !isTask(properties)) child.tagName = REMOVED;
    if (tagName === 'audio' || tagName === 'video') properties['controls'] = true;
    for (const name of addresses) {
      const address = properties[name];
      if (typeof address === 'string') properties[name] = address.replace(/^[A-Za-z]+:/, lowerCase);
    }
    normalize(child);
  }
}

/** Attributes that are addresses. */
const addresses = ['href', 'src', 'cite', 'poster'];

/** An element that the schema does not name. */
const REMOVED = 'removed';

const isTask = ({ type, disabled }: Readonly<Record<string, unknown>>): boolean =>
  type === 'checkbox' && disabled === true;

const lowerCase = (scheme: string): string => scheme.toLowerCase();
