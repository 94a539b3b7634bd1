import { fromParse5 } from 'hast-util-from-parse5';
import { sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { parseFragment } from 'parse5';
import { schema } from './schema.ts';

type Node = ReturnType<typeof fromParse5>;

/** Reads HTML as a browser does, and keeps what the schema names. */
export function sanitise(html: string): string {
  const tree = fromParse5(parseFragment(html, { scriptingEnabled: false }));
  normalize(tree);
  return toHtml(sanitize(tree, schema), { characterReferences: { useNamedReferences: true } });
}

/**
 * Does what a schema cannot say. Of form controls, only the disabled checkbox of a task list stays. The schema compares
 * the schemes of addresses in lower case.
 */
function normalize(node: Node): void {
  if (!('children' in node)) return;
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    if (child.tagName === 'input' && !isTask(child.properties)) child.tagName = REMOVED;
    for (const name of ['href', 'src', 'cite']) {
      const address = child.properties[name];
      if (typeof address === 'string') child.properties[name] = address.replace(/^[A-Za-z]+:/, lowerCase);
    }
    normalize(child);
  }
}

/** An element that the schema does not name. */
const REMOVED = 'removed';

const isTask = ({ type, disabled }: Readonly<Record<string, unknown>>): boolean =>
  type === 'checkbox' && disabled === true;

const lowerCase = (scheme: string): string => scheme.toLowerCase();
