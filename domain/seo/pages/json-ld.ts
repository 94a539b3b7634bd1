/** The facts of a page's JSON-LD. */
export interface JsonLdReport {
  /** Blocks that are not JSON, by their number on the page, the first being 1. */
  readonly invalid: readonly { readonly block: number; readonly message: string }[];
  /** The types of the things it describes, those that are nested too. */
  readonly types: readonly string[];
  readonly missing: readonly MissingProperty[];
}

export interface MissingProperty {
  readonly type: string;
  readonly property: string;
  readonly required: boolean;
}

/** Properties without which a type says nothing, and those that search engines would like (docs/spec/rulings.md, 19). */
const expected: Readonly<
  Record<string, { readonly required?: readonly string[]; readonly recommended?: readonly string[] }>
> = {
  FAQPage: { required: ['mainEntity'] },
  HowTo: { required: ['step'] },
  Article: { required: ['headline'], recommended: ['image', 'datePublished', 'dateModified', 'author'] },
  BreadcrumbList: { required: ['itemListElement'] },
};

/** Types that are articles by another name. */
const articles = new Set(['Article', 'BlogPosting', 'NewsArticle', 'TechArticle']);

/** Bounds for text of strangers. */
const MOST_NODES = 20_000;
const DEEPEST = 100;
const MOST_TYPES = 50;

/** Examines the blocks of a page: single things, lists, graphs, and nested ones. */
export function examineJsonLd(blocks: readonly string[]): JsonLdReport {
  const invalid: { block: number; message: string }[] = [];
  const types = new Set<string>();
  const missing = new Map<string, MissingProperty>();
  let nodes = 0;
  const visit = (value: unknown, depth: number): void => {
    nodes += 1;
    if (typeof value !== 'object' || value === null || nodes > MOST_NODES || depth > DEEPEST) return;
    if (Array.isArray(value)) {
      for (const member of value) visit(member, depth + 1);
      return;
    }
    const thing = value as Readonly<Record<string, unknown>>;
    for (const type of typesOf(thing)) {
      if (types.size < MOST_TYPES) types.add(type);
      if (!isReference(thing))
        for (const found of missingIn(thing, type)) missing.set(`${found.type} ${found.property}`, found);
    }
    for (const [name, member] of Object.entries(thing)) if (name !== '@context') visit(member, depth + 1);
  };
  blocks.forEach((text, index) => {
    const parsed = parse(text);
    if ('message' in parsed) invalid.push({ block: index + 1, message: parsed.message });
    else visit(parsed.value, 0);
  });
  return { invalid, types: [...types], missing: [...missing.values()] };
}

const wrappings = [
  ['<!--', '-->'],
  ['/*<![CDATA[*/', '/*]]>*/'],
  ['//<![CDATA[', '//]]>'],
  ['<![CDATA[', ']]>'],
] as const;

/** JSON-LD, in the comments in which old pages hide scripts. */
function parse(text: string): { readonly value: unknown } | { readonly message: string } {
  let bare = text.trim();
  for (const [begin, end] of wrappings)
    if (bare.startsWith(begin))
      bare = bare.slice(begin.length, bare.endsWith(end) ? -end.length : undefined).trim();
  if (bare === '') return { message: 'The block is empty.' };
  try {
    const value: unknown = JSON.parse(bare);
    if (typeof value === 'object' && value !== null) return { value };
    return { message: 'The block is neither an object nor a list.' };
  } catch (error) {
    return { message: (error as Error).message.slice(0, 200) };
  }
}

/** The types of a thing by schema.org, without its address. */
function typesOf({ '@type': type }: Readonly<Record<string, unknown>>): string[] {
  const all = Array.isArray(type) ? type : [type];
  return all
    .filter((one) => typeof one === 'string')
    .slice(0, 10)
    .map((one) => one.replace(/^(?:https?:\/\/schema\.org\/|schema:)/, '').slice(0, 100));
}

/** A node that only names another one by its id. */
const isReference = (thing: object): boolean =>
  '@id' in thing && Object.keys(thing).every((name) => name === '@id' || name === '@type');

function missingIn(thing: Readonly<Record<string, unknown>>, type: string): MissingProperty[] {
  const { required = [], recommended = [] } = expected[articles.has(type) ? 'Article' : type] ?? {};
  const lacks = (property: string): boolean => isEmpty(thing[property]);
  return [
    ...required.filter(lacks).map((property) => ({ type, property, required: true })),
    ...recommended.filter(lacks).map((property) => ({ type, property, required: false })),
  ];
}

/** Whether a value says nothing. In lists of lists, deep values count as something. */
const isEmpty = (value: unknown, depth = 0): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && depth < DEEPEST && value.every((member) => isEmpty(member, depth + 1)));
