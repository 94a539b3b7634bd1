type Attributes = Readonly<Record<string, string>>;

/** Where elements name resources of the page. */
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  img: ['src'],
  script: ['src'],
  iframe: ['src'],
  frame: ['src'],
  embed: ['src'],
  object: ['data'],
  audio: ['src'],
  video: ['src', 'poster'],
  source: ['src'],
  track: ['src'],
  input: ['src'],
};

/** Relations of links that load their target. */
const loading = new Set(['stylesheet', 'icon', 'apple-touch-icon', 'preload', 'modulepreload', 'manifest']);

const CANDIDATES = 50;

/** The addresses that a page loads because of an element, as they are written. */
export function loadsOf(name: string, attributes: Attributes): readonly string[] {
  if (name === 'link') {
    const rels = (attributes['rel'] ?? '').toLowerCase().split(/\s+/);
    return rels.some((rel) => loading.has(rel)) ? present([attributes['href']]) : [];
  }
  const written = present((attributesOf[name] ?? []).map((attribute) => attributes[attribute]));
  if (name !== 'img' && name !== 'source') return written;
  const candidates = (attributes['srcset'] ?? '').split(',', CANDIDATES);
  return [...written, ...present(candidates.map((candidate) => candidate.trim().split(/\s/, 1)[0]))];
}

const present = (values: readonly (string | undefined)[]): string[] =>
  values.flatMap((value) => (value === undefined || value.trim() === '' ? [] : [value.trim()]));
