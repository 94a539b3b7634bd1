import { groups } from '../../framework/groups.ts';
import { html } from '../../http/html.ts';
import { groupAddress, guideAddress, HOME } from './addresses.ts';
import type { Described, DescribedGroup } from './described.ts';
import { guide, readGuidePage, start } from './guide.ts';
import type { GuidePage } from './guide.ts';
import { layout } from './layout.ts';
import { blockMarkdown, inlineMarkdown } from './markdown.ts';
import { eventSection, operationSection } from './operation-section.ts';
import { searchIndex } from './search-index.ts';

/** The pages of the reference and of the guide, by their address. Each makes its HTML. */
export const pages: ReadonlyMap<string, (described: Described) => string> = new Map([
  [HOME, startPage],
  ...guide.map(
    (page) => [guideAddress(page.name), (described: Described) => guidePage(page, described)] as const,
  ),
  ...groups.map(
    (group) => [groupAddress(group.name), (described: Described) => groupPage(group, described)] as const,
  ),
  [`${HOME}/search.json`, searchIndex],
]);

function startPage(described: Described): string {
  const { title, body } = readGuidePage(start, described);
  const main = html`<h1>${title}</h1>
    ${body}
    <h2 id="resources">Resources</h2>
    <ul class="cards">
      ${described.groups.map(
        ({ name, description }) =>
          html`<li>
            <a href="${groupAddress(name)}">${name}</a>
            <p>${inlineMarkdown(description)}</p>
          </li>`,
      )}
    </ul>`;
  return layout({ address: HOME, title, main, wide: false }, described);
}

function guidePage(page: GuidePage, described: Described): string {
  const { title, body } = readGuidePage(page, described);
  const main = html`<h1>${title}</h1>
    ${body}`;
  return layout({ address: guideAddress(page.name), title, main, wide: false }, described);
}

function groupPage({ name, description }: DescribedGroup, described: Described): string {
  const operations = described.operations.filter(({ group }) => group === name);
  const events = name === 'Webhooks' ? described.events : [];
  const main = html`<h1>${name}</h1>
    ${blockMarkdown(description)} ${operations.map((operation) => operationSection(operation, described))}
    ${events.map((event) => eventSection(event, described))}`;
  return layout({ address: groupAddress(name), title: name, main, wide: true }, described);
}
