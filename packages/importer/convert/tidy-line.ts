import type { Html, Parents, PhrasingContent } from 'mdast';
import { createParser } from '../../base/markdown/parser.ts';

type Formatting = Extract<PhrasingContent, { type: 'emphasis' | 'strong' | 'delete' }>;

const TAGS = { emphasis: 'em', strong: 'strong', delete: 'del' } as const;

const isFormatting = (node: PhrasingContent): node is Formatting => Object.hasOwn(TAGS, node.type);

/** Tidies what stands in one paragraph, heading or cell, which are text, formatting, links and so on. */
export function tidyLine(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return withTags(simplified(nodes, new Set()), '\n', '\n');
}

/** The content without white space and line breaks at its ends. */
export function trim(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const { inside } = edgesOf(nodes);
  return inside;
}

/**
 * Formatting holds no white space or line break at its ends, no formatting of its own kind, and does not touch another
 * of its kind, nor does code. A bare address becomes the link that the renderer would make of it.
 *
 * @param within the types around the nodes
 */
function simplified(nodes: readonly PhrasingContent[], within: ReadonlySet<string>): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (const node of nodes.flatMap((child) => simplifiedNode(child, within))) {
    const before = result.at(-1);
    if (before?.type === 'text' && node.type === 'text') before.value += node.value;
    else if (before?.type === 'inlineCode' && node.type === 'inlineCode') before.value += node.value;
    else if (before !== undefined && before.type === node.type && isFormatting(before) && isFormatting(node))
      before.children = [...before.children, ...node.children];
    else result.push(node);
  }
  return result;
}

function simplifiedNode(node: PhrasingContent, within: ReadonlySet<string>): PhrasingContent[] {
  if (node.type === 'text') return within.has('link') ? [{ ...node }] : withLinks(node.value);
  if (node.type === 'inlineCode') return codeOf(node.value);
  if (!isFormatting(node) && node.type !== 'link') return [node];
  const { before, inside, after } = edgesOf(simplified(node.children, new Set([...within, node.type])));
  if (node.type === 'link') node.url = withoutBars(node.url);
  const isRedundant = inside.length === 0 || within.has(node.type);
  return [...before, ...(isRedundant ? inside : [{ ...node, children: inside }]), ...after];
}

/** Code without white space at its ends, which stands around it instead. */
function codeOf(text: string): PhrasingContent[] {
  const value = text.trim();
  const space: PhrasingContent = { type: 'text', value: ' ' };
  if (value === '') return text === '' ? [] : [space];
  return [
    ...(text.trimStart() === text ? [] : [space]),
    { type: 'inlineCode', value } as const,
    ...(text.trimEnd() === text ? [] : [space]),
  ];
}

/** White space and line breaks at the ends, and the text between them. */
function edgesOf(nodes: readonly PhrasingContent[]) {
  const first = nodes.findIndex((node) => !isBlank(node));
  if (first < 0) return { before: [...nodes], inside: [], after: [] };
  const last = nodes.findLastIndex((node) => !isBlank(node));
  const inside = nodes.slice(first, last + 1).map((node) => ({ ...node }));
  const [start, end] = [inside[0], inside.at(-1)];
  const blankBefore = start === undefined ? [] : cut(start, (text) => text.trimStart());
  const blankAfter = end === undefined ? [] : cut(end, (text) => text.trimEnd());
  return {
    before: [...nodes.slice(0, first), ...blankBefore],
    inside,
    after: [...blankAfter, ...nodes.slice(last + 1)],
  };
}

const isBlank = (node: PhrasingContent): boolean =>
  node.type === 'break' || (node.type === 'text' && node.value.trim() === '');

/** Cuts the white space off that a text begins or ends with. */
function cut(node: PhrasingContent, trimmed: (text: string) => string): PhrasingContent[] {
  if (node.type !== 'text') return [];
  const value = trimmed(node.value);
  const blank = node.value.replace(value, '');
  node.value = value;
  return blank === '' ? [] : [{ type: 'text', value: blank }];
}

const { linkify } = createParser();

/** A bar would end a table's cell. The text of a link keeps it, so the link is not one of the form `<address>`. */
const withoutBars = (url: string): string => url.replaceAll('|', '%7C');

/** A text with links for its addresses. Those of mailboxes stay text: the renderer links them as they are. */
function withLinks(text: string): PhrasingContent[] {
  const found = linkify.match(text)?.filter(({ schema }) => /^(?:https?:|www\.)$/i.test(schema)) ?? [];
  const result: PhrasingContent[] = [];
  let at = 0;
  for (const { index, lastIndex, url } of found) {
    result.push({ type: 'text', value: text.slice(at, index) });
    result.push({
      type: 'link',
      url: withoutBars(url),
      children: [{ type: 'text', value: text.slice(index, lastIndex) }],
    });
    at = lastIndex;
  }
  result.push({ type: 'text', value: text.slice(at) });
  return result.filter((node) => node.type !== 'text' || node.value !== '');
}

/**
 * Marks between a letter and punctuation, as in `**Note:**read`, would be shown instead of formatting. There the tags of
 * HTML are easier to read than a letter as an entity, which is the way of mdast-util-to-markdown.
 *
 * @param before the character before the nodes @param after that after them
 */
function withTags(nodes: readonly PhrasingContent[], before: string, after: string): PhrasingContent[] {
  return nodes.flatMap((node, index) => {
    if (!('children' in node)) return [node];
    const previous = index === 0 ? before : edge(nodes[index - 1], -1);
    const next = index === nodes.length - 1 ? after : edge(nodes[index + 1], 0);
    if (!isFormatting(node)) return [{ ...node, children: withTags(node.children, '[', ']') }];
    const isLost =
      (isMark(edge(node.children[0], 0)) && isLetter(previous)) ||
      (isMark(edge(node.children.at(-1), -1)) && isLetter(next));
    if (!isLost) return [{ ...node, children: withTags(node.children, previous, next) }];
    const name = TAGS[node.type];
    return [tag(`<${name}>`), ...withTags(node.children, '>', '<'), tag(`</${name}>`)];
  });
}

const tag = (value: string): Html => ({ type: 'html', value });

/** The first (0) or last (-1) character that a node begins or ends with in Markdown. */
function edge(node: PhrasingContent | undefined, at: 0 | -1): string {
  if (node === undefined || node.type === 'break') return '\n';
  if (node.type === 'text') return [...node.value].at(at) ?? '\n';
  return isFormatting(node) ? edge((node as Parents).children.at(at) as PhrasingContent, at) : '*';
}

const isMark = (character: string): boolean => /^[\p{P}\p{S}]$/u.test(character);
const isLetter = (character: string): boolean => /^[^\p{P}\p{S}\s]$/u.test(character);
