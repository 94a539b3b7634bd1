import type TurndownService from 'turndown';
import { joinLines, oneLine } from './dom.ts';
import type { DomElement } from './dom.ts';
import { hideLongRuns } from './long-runs.ts';
import { codeBlock, verse } from './code-blocks.ts';
import { NUMBER } from './prepare.ts';
import { addTableRules } from './tables.ts';

type Replacement = (content: string, element: DomElement) => string;

/** Attribute of a `pre` whose content is already Markdown. */
export const MARKDOWN = 'data-presswork-markdown';

const block = (content: string): string => `\n\n${content.trim()}\n\n`;

/** Adds rules for elements that turndown does not convert, or does not convert well. */
export function addRules(service: TurndownService): TurndownService {
  const add = (name: string, filter: readonly string[], replacement: Replacement): void => {
    service.addRule(name, {
      filter: [...filter] as TurndownService.Filter,
      replacement: (content, node) => replacement(content, node as DomElement),
    });
  };
  add('heading', ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], (content, { localName }) =>
    joinLines(content) === '' ? '' : block(`${'#'.repeat(Number(localName[1]))} ${joinLines(content)}`),
  );
  add('strikethrough', ['del', 's', 'strike'], (content) => (content.trim() ? `~~${content}~~` : ''));
  add('inline-html', ['sub', 'sup', 'kbd', 'mark', 'ins', 'u'], (content, { localName: name }) =>
    content.trim() ? `<${name}>${content}</${name}>` : content,
  );
  add('image', ['img'], (_, image) => imageOf(image, service));
  add('link', ['a'], linkOf);
  add('list-item', ['li'], listItem);
  add('caption', ['figcaption'], (content) => caption(content));
  add('term', ['dt'], (content) =>
    block(content.trim() ? `**${joinLines(content).replaceAll('**', '')}**` : ''),
  );
  add('definition', ['dd'], (content) => block(content));
  add('summary', ['summary'], (content) => block(`<summary>${joinLines(content)}</summary>`));
  add('details', ['details'], (content) => block(`<details>\n\n${content.trim()}\n\n</details>`));
  add('embed', ['iframe', 'video', 'audio', 'object', 'embed'], (_, element) =>
    block(hideLongRuns(joinLines(element.outerHTML))),
  );
  add('pre', ['pre'], (content, pre) => {
    if (pre.getAttribute(MARKDOWN) !== null) return block(hideLongRuns(pre.textContent));
    return pre.getAttribute('class')?.includes('wp-block-verse') === true
      ? verse(content)
      : hideLongRuns(codeBlock(pre));
  });
  addTableRules(service);
  return service;
}

/** Escapes a URL for use in parentheses. */
const destination = (address: string): string =>
  address.replaceAll(/[\s<>()]/g, (character) =>
    character === '(' || character === ')' ? `\\${character}` : encodeURIComponent(character),
  );

const titleOf = (element: DomElement): string => {
  const title = oneLine(element.getAttribute('title') ?? '');
  return title === '' ? '' : ` "${title.replaceAll(/["\\]/g, '\\$&')}"`;
};

function imageOf(image: DomElement, service: TurndownService): string {
  const alt = service.escape(oneLine(image.getAttribute('alt') ?? ''));
  return `![${alt}](${destination(image.getAttribute('src') ?? '')}${titleOf(image)})`;
}

function linkOf(content: string, link: DomElement): string {
  const address = link.getAttribute('href') ?? '';
  const text = joinLines(content);
  if (address === '' || text === '') return content;
  if (link.textContent.trim() === address && /^https?:\/\/[^\s<>]+$/i.test(address)) return `<${address}>`;
  return `[${text}](${destination(address)}${titleOf(link)})`;
}

function listItem(content: string, item: DomElement): string {
  const number = item.parentNode?.localName === 'ol' ? item.getAttribute(NUMBER) : null;
  const marker = number === null ? '- ' : `${number}. `;
  const text = content
    .replace(/^\n+/, '')
    .trimEnd()
    .replaceAll('\n', `\n${' '.repeat(marker.length)}`);
  return `${marker}${text.replaceAll(/^ +$/gm, '')}${item.nextSibling ? '\n' : ''}`;
}

/** A caption in italics, unless it has emphasis of its own. */
function caption(content: string): string {
  const text = joinLines(content);
  if (text === '') return '';
  return block(/[*_]/.test(text) ? text : `*${text}*`);
}
