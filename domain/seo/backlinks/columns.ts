import type { BacklinkSource } from './link.ts';

/** The parts of a line that are read. */
export const columnNames = [
  'source',
  'target',
  'anchor',
  'rel',
  'nofollow',
  'ugc',
  'sponsored',
  'firstSeen',
  'lastSeen',
] as const;

export type ColumnName = (typeof columnNames)[number];

/** Where the columns of a file are; one that it does not have is left out. */
export type Columns = Readonly<Partial<Record<ColumnName, number>>>;

/** The headings of a column, without case, accents and punctuation; translations follow the English ones. */
const headings: Readonly<Record<ColumnName, readonly string[]>> = {
  source: [
    'source url',
    'referring page url',
    'linking page',
    'url der verweisenden seite',
    'verweisende seite',
    'verlinkende seite',
    'quell url',
    'url de la page referente',
    'page referente',
    'page d origine',
    'page de renvoi',
    'url source',
    'url de la pagina de referencia',
    'pagina de referencia',
    'pagina de enlace',
    'pagina que enlaza',
    'url de origen',
  ],
  target: [
    'target url',
    'target page',
    'link url',
    'ziel url',
    'zielseite',
    'url cible',
    'page cible',
    'url de destino',
    'url objetivo',
    'pagina de destino',
    'pagina objetivo',
  ],
  anchor: [
    'anchor',
    'anchor text',
    'link anchor',
    'ankertext',
    'anker',
    'texte d ancrage',
    'texte d ancre',
    'ancre',
    'texto de anclaje',
    'texto ancla',
    'ancla',
  ],
  rel: ['rel'],
  nofollow: ['nofollow'],
  ugc: ['ugc'],
  sponsored: ['sponsored', 'gesponsert', 'sponsorise', 'patrocinado'],
  firstSeen: [
    'first seen',
    'first seen at',
    'zuerst gesehen',
    'erstmals gesehen',
    'premiere vue',
    'vu pour la premiere fois',
    'visto por primera vez',
    'primera vez visto',
  ],
  lastSeen: [
    'last seen',
    'last seen at',
    'last check',
    'last crawled',
    'zuletzt gesehen',
    'zuletzt gecrawlt',
    'letztes crawling',
    'derniere vue',
    'vu pour la derniere fois',
    'derniere exploration',
    'visto por ultima vez',
    'ultima vez visto',
    'ultimo rastreo',
  ],
};

/** Headings of sources that a single tool uses. */
const toolsOfSources: Readonly<Record<string, BacklinkSource>> = {
  'referring page url': 'ahrefs',
  'url der verweisenden seite': 'ahrefs',
  'url de la page referente': 'ahrefs',
  'url de la pagina de referencia': 'ahrefs',
  'source url': 'semrush',
  'quell url': 'semrush',
  'url source': 'semrush',
  'url de origen': 'semrush',
};

const plain = (heading: string): string =>
  heading
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The columns whose headings are known. */
export function columnsByName(header: readonly string[]): Columns {
  const found = header.map(plain);
  const entries = columnNames.flatMap((name) => {
    const at = found.findIndex((heading) => headings[name].includes(heading));
    return at === -1 ? [] : [[name, at] as const];
  });
  return Object.fromEntries(entries);
}

const trimmed = (heading: string | undefined): string => (heading ?? '').trim().toLowerCase();

/** The tool that writes such headings; null if they are not those of one. */
export function toolOf(header: readonly string[], { source, target }: Columns): BacklinkSource | null {
  if (header.some((heading) => trimmed(heading) === 'source_url')) return 'generic';
  if (source === undefined) return null;
  return toolsOfSources[plain(header[source] ?? '')] ?? (target === undefined ? 'search_console' : 'ahrefs');
}

/** Whether a file has the two columns of the plain form. */
export const isGeneric = (header: readonly string[]): boolean =>
  ['source_url', 'target_url'].every((name) => header.some((heading) => trimmed(heading) === name));
