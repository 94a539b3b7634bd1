import type { Tree } from './read-html.ts';

/** Where rendered HTML is shown. */
export interface Placement {
  /** Ends the ids, so that those of several articles on one page differ. */
  readonly scope?: string;
  /** The article's own address, if the HTML leaves the blog: relative addresses lead on from it. */
  readonly base?: string;
  /** Whether the article is a page of its own there, on which links within it lead on. */
  readonly ownPage?: boolean;
}

/** What tells the ids of an article apart from those of others on a page: a uuid ends with random digits. */
export const scopeOf = (articleId: string): string => articleId.slice(-8);

type Element = Extract<Tree, { type: 'element' }>;

/** The beginning of an id, as GitHub's: no script of a page takes an element with it for something of its own. */
const PREFIX = 'user-content-';

/** Gives elements the ids by which links within the article lead to them, and addresses that hold where it is shown. */
export function place(tree: Tree, { scope, base, ownPage = false }: Placement): void {
  const elements = elementsOf(tree);
  const ids = nameElements(elements, scope);
  for (const { properties } of elements) {
    const { href } = properties;
    if (typeof href === 'string' && href.startsWith('#')) {
      const target = namesOf(href).find((name) => ids.has(name));
      if (target !== undefined) properties['href'] = `#${encodeURIComponent(ids.get(target) ?? '')}`;
      if (ownPage) continue;
    }
    if (base === undefined) continue;
    for (const name of ['href', 'src', 'cite', 'poster']) {
      const address = properties[name];
      if (typeof address === 'string') properties[name] = absolute(address, base);
    }
  }
}

/** In the order of the text. Without recursion. */
function elementsOf(tree: Tree): readonly Element[] {
  const elements: Element[] = [];
  const waiting: Tree[] = [tree];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.type === 'element') elements.push(next);
    if ('children' in next) for (const child of next.children.toReversed()) waiting.push(child);
  }
  return elements;
}

/**
 * Each name belongs to the first element that has it. A heading has its text as its name, if a link leads there: all others
 * stay as CommonMark writes them.
 *
 * @returns the ids by the names that links use
 */
function nameElements(elements: readonly Element[], scope: string | undefined): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const end = scope === undefined ? '' : `-${scope}`;
  const give = ({ properties }: Element, name: string): void => {
    properties['id'] = `${PREFIX}${name}${end}`;
    ids.set(name, properties['id']);
  };
  for (const element of elements) {
    const { id, name } = element.properties;
    delete element.properties['id'];
    delete element.properties['name'];
    const given = bare(id ?? name ?? '');
    if (given !== '' && !/\s/.test(given) && !ids.has(given)) give(element, given);
  }
  const wanted = new Set(elements.flatMap(({ properties: { href } }) => namesOf(href ?? '')));
  const taken = new Map<string, number>();
  for (const element of elements) {
    if (!/^h[1-6]$/.test(element.tagName)) continue;
    const slug = slugOf(element);
    let number = taken.get(slug) ?? 0;
    let name = number === 0 ? slug : `${slug}-${number}`;
    while (ids.has(name)) name = `${slug}-${(number += 1)}`;
    taken.set(slug, number + 1);
    if (wanted.has(name) && element.properties['id'] === undefined) give(element, name);
  }
  return ids;
}

/** The targets that a link within the page may mean, the most exact first. */
function namesOf(href: string): readonly string[] {
  if (!href.startsWith('#') || href.length === 1) return [];
  const name = bare(decoded(href.slice(1)));
  return [name, name.toLowerCase()];
}

const bare = (id: string): string => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The name that GitHub gives to a heading. */
const slugOf = (heading: Element): string =>
  textOf(heading)
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Without the numbers of footnotes. */
const textOf = (node: Tree): string => {
  if (node.type === 'text') return node.value;
  if (!('children' in node)) return '';
  if (node.type === 'element' && node.properties['dataFootnoteRef'] !== undefined) return '';
  return node.children.map(textOf).join('');
};

const absolute = (address: string, base: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : (URL.parse(address, base)?.href ?? address);
