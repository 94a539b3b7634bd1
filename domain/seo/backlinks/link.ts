/** The tools whose exports are read; `generic` is a file with the columns `source_url` and `target_url`. */
export const backlinkSources = ['ahrefs', 'semrush', 'search_console', 'generic'] as const;

export type BacklinkSource = (typeof backlinkSources)[number];

/** A link as a file tells of it, with null for members that the file lacks. */
export interface ReadLink {
  /** The same for two spellings of the same addresses: a uuid made of their digest. */
  readonly key: string;
  readonly sourceUrl: string;
  readonly targetUrl: string;
  readonly reversedHost: string;
  readonly anchor: string | null;
  readonly rel: readonly string[] | null;
  /** The slug of the article at the target, if it is the address of one. */
  readonly slug: string | null;
  readonly firstSeen: Date | null;
  readonly lastSeen: Date | null;
}

/** A line of a file that is not a link. */
export interface Rejection {
  /** The physical line, the header being 1. */
  readonly line: number;
  readonly message: string;
}

/** The links of a file. */
export interface ReadFile {
  readonly source: BacklinkSource;
  readonly links: readonly ReadLink[];
  /** The first of them. */
  readonly rejected: readonly Rejection[];
  readonly rejectedTotal: number;
}
