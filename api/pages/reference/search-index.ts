import { BASE_PATH } from '../../http/base-path.ts';
import { groupAddress, guideAddress, HOME } from './addresses.ts';
import type { Described } from './described.ts';
import { guide, readGuidePage, start } from './guide.ts';

/** A place that the search can find. */
export interface SearchEntry {
  readonly title: string;
  /** The text below the title. */
  readonly about: string;
  readonly address: string;
  /** The searched text besides title and `about`. */
  readonly text: string;
}

/** Of a section's text. */
const LONGEST = 600;

/** Everything that the search finds, as JSON. browser/search.js loads it with the first character that is typed. */
export function searchIndex(described: Described): string {
  const operations = described.operations.map(
    ({ id, group, summary, method, path, description, scope }): SearchEntry => ({
      title: summary,
      about: `${method} ${BASE_PATH}${path}`,
      address: groupAddress(group, id),
      text: `${id} ${group} ${scope ?? ''} ${description}`.slice(0, LONGEST),
    }),
  );
  const events = described.events.map(({ name, summary }): SearchEntry => ({
    title: summary,
    about: `Event ${name}`,
    address: groupAddress('Webhooks', name),
    text: 'webhook event',
  }));
  const pages = [...guide, start].flatMap((page) => {
    const { title, sections } = readGuidePage(page, described);
    const address = (id: string): string =>
      page === start ? HOME + (id === '' ? '' : `#${id}`) : guideAddress(page.name, id);
    return sections.map((section): SearchEntry => ({
      title: section.title === '' ? title : section.title,
      about: page === start ? 'Start' : `Guide: ${title}`,
      address: address(section.id),
      text: section.text.slice(0, LONGEST),
    }));
  });
  return JSON.stringify([...operations, ...pages, ...events, ...errorEntries(described)]);
}

const errorEntries = ({ operations }: Described): SearchEntry[] =>
  [...new Set(operations.flatMap(({ errors }) => errors.map(({ code }) => code)))].map((code) => ({
    title: code,
    about: 'Error code',
    address: guideAddress('errors', code),
    text: '',
  }));
