/** The kinds of scans (docs/spec/rulings.md, 19, The seven scans). */
export const scanKinds = [
  'site-crawl',
  'on-page',
  'structured-data',
  'outbound-links',
  'backlinks',
  'internal-links',
  'keyword-overlap',
] as const;

export type ScanKindName = (typeof scanKinds)[number];

export const severities = ['error', 'warning', 'notice'] as const;

export type Severity = (typeof severities)[number];

/** The rules of each kind, with their severity. */
export const rules = {
  'site-crawl': {
    'broken-page': 'error',
    'redirect-chain': 'warning',
    'redirect-loop': 'error',
    'duplicate-title': 'warning',
    'missing-title': 'error',
    'missing-description': 'notice',
    noindex: 'warning',
    'canonical-mismatch': 'warning',
    'mixed-content': 'warning',
    'orphan-page': 'notice',
    'blocked-by-robots': 'notice',
  },
  'on-page': {
    'title-length': 'notice',
    'description-length': 'notice',
    'heading-order': 'warning',
    'missing-alt': 'warning',
    'thin-content': 'warning',
    'keyword-missing': 'notice',
    'long-paragraph': 'notice',
    'hard-to-read': 'notice',
  },
  'structured-data': {
    'invalid-json-ld': 'error',
    'missing-required-property': 'error',
    'missing-recommended-property': 'notice',
    'no-structured-data': 'notice',
  },
  'outbound-links': { 'broken-link': 'error', 'redirected-link': 'notice', 'insecure-link': 'warning' },
  backlinks: {
    'lost-backlink': 'warning',
    'nofollow-backlink': 'notice',
    'backlink-to-missing-page': 'error',
  },
  'internal-links': {
    'orphan-article': 'warning',
    'missing-related-link': 'notice',
    'broken-internal-link': 'error',
  },
  'keyword-overlap': { 'competing-articles': 'warning' },
} as const satisfies Readonly<Record<ScanKindName, Readonly<Record<string, Severity>>>>;

type RulesOf<K extends ScanKindName> = keyof (typeof rules)[K] & string;

/** The name of a rule, of one kind or of any. */
export type Rule<K extends ScanKindName = ScanKindName> = { [Each in K]: RulesOf<Each> }[K];

/** Every rule's name; no two kinds share one. */
export const ruleNames = Object.values(rules).flatMap((of) => Object.keys(of)) as [Rule, ...Rule[]];

export const severityOf = (kind: ScanKindName, rule: Rule): Severity =>
  (rules[kind] as Readonly<Record<string, Severity>>)[rule] ?? 'notice';

/** The price of a credit: so many pages, articles or links. */
export const unitSizes: Readonly<Record<ScanKindName, number>> = {
  'site-crawl': 10,
  'on-page': 10,
  'structured-data': 5,
  'outbound-links': 50,
  backlinks: 20,
  'internal-links': 10,
  'keyword-overlap': 10,
};

/** The kinds that fetch pages; the others read articles only. */
export const outboundKinds: ReadonlySet<ScanKindName> = new Set([
  'site-crawl',
  'structured-data',
  'outbound-links',
  'backlinks',
]);

/** The names of a kind's rules. */
export const ruleNamesOf = <K extends ScanKindName>(kind: K): readonly Rule<K>[] =>
  Object.keys(rules[kind]) as unknown as readonly Rule<K>[];
