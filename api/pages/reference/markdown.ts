import { fromMarkdown } from 'mdast-util-from-markdown';
import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import { codeExamples } from './code.ts';
import type { CodeExample } from './code.ts';

type Node = ReturnType<typeof fromMarkdown>['children'][number];
type Parents = Extract<Node, { children: unknown }>;

/** The names that a document may refer to. */
export interface Names {
  /** The address of a link's target. @throws Error if there is none */
  readonly link: (target: string) => string;
  /** The text in place of `<!-- name -->`. @throws Error if there is none */
  readonly insert: (name: string) => Html;
}

/** A heading of a document, and the text below it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Document {
  readonly title: string;
  readonly body: Html;
  readonly sections: readonly Section[];
}

const plain: Names = {
  link: (target) => target,
  insert: (name) => {
    throw new Error(`nothing is inserted for ${name}`);
  },
};

/** Text with code, emphasis and links, as descriptions have it. */
export function inlineMarkdown(text: string): Html {
  const blocks = fromMarkdown(text).children;
  return html`${blocks.map((block) => ('children' in block ? phrasing(block, plain) : html`${textOf(block)}`))}`;
}

/** Paragraphs, lists and code, as descriptions have them. */
export const blockMarkdown = (text: string): Html => html`${blocksOf(fromMarkdown(text).children, plain)}`;

/** Reads a page that is written in Markdown: its title, its content, and its sections for the search. */
export function readMarkdown(source: string, names: Names): Document {
  const [first, ...children] = fromMarkdown(source).children;
  if (first?.type !== 'heading' || first.depth !== 1) throw new Error('a page begins with its title');
  let section = { id: '', title: '', text: '' };
  const sections = [section];
  for (const node of children) {
    if (node.type !== 'heading') {
      section.text += `${textOf(node)} `;
      continue;
    }
    section = { id: anchorOf(textOf(node)), title: textOf(node), text: '' };
    sections.push(section);
  }
  return { title: textOf(first), body: html`${blocksOf(children, names)}`, sections };
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** Code blocks that follow each other become one, with tabs. */
function blocksOf(nodes: readonly Node[], names: Names): Html[] {
  const blocks: Html[] = [];
  let examples: CodeExample[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'code') {
      blocks.push(blockOf(node, names));
      continue;
    }
    examples.push({ label: node.meta ?? node.lang ?? '', language: node.lang ?? '', code: node.value });
    if (nodes[index + 1]?.type === 'code') continue;
    blocks.push(codeExamples(examples));
    examples = [];
  }
  return blocks;
}

function blockOf(node: Node, names: Names): Html {
  switch (node.type) {
    case 'heading': {
      const id = anchorOf(textOf(node));
      const link = html`<a href="#${id}">${phrasing(node, names)}</a>`;
      return node.depth === 2 ? html`<h2 id="${id}">${link}</h2>` : html`<h3 id="${id}">${link}</h3>`;
    }
    case 'paragraph':
      return html`<p>${phrasing(node, names)}</p>`;
    case 'list': {
      const items = node.children.map((item) => html`<li>${contentOf(item.children, names)}</li>`);
      return node.ordered === true
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    case 'html':
      return names.insert(/^<!-- ([\w-]+) -->$/.exec(node.value)?.[1] ?? node.value);
    default:
      throw new Error(`${node.type} is not used on pages`);
  }
}

/** Of an item: a single paragraph without its element. */
function contentOf(nodes: readonly Node[], names: Names): Html {
  const [first, ...others] = nodes;
  if (first?.type === 'paragraph' && others.length === 0) return phrasing(first, names);
  return html`${blocksOf(nodes, names)}`;
}

const phrasing = (node: Parents, names: Names): Html =>
  html`${(node.children as Node[]).map((inner) => phrase(inner, names))}`;

function phrase(node: Node, names: Names): Html {
  switch (node.type) {
    case 'text':
      return html`${node.value}`;
    case 'inlineCode':
      return html`<code>${node.value}</code>`;
    case 'strong':
      return html`<strong>${phrasing(node, names)}</strong>`;
    case 'emphasis':
      return html`<em>${phrasing(node, names)}</em>`;
    case 'link':
      return html`<a href="${names.link(node.url)}">${phrasing(node, names)}</a>`;
    default:
      throw new Error(`${node.type} is not used in texts`);
  }
}

/** The text alone, without code blocks. */
function textOf(node: Node): string {
  if (node.type === 'code' || node.type === 'html') return '';
  if ('value' in node) return node.value;
  return 'children' in node ? (node.children as Node[]).map(textOf).join('') : '';
}
