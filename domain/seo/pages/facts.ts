/** A link of a page. */
export interface PageLink {
  /** Without a fragment. */
  readonly url: string;
  /** In lower case. */
  readonly rel: readonly string[];
  readonly text: string;
}

/** The facts of a page for the rules. Lists and texts are cut at lengths that no page needs. */
export interface PageFacts {
  readonly title: string | null;
  readonly description: string | null;
  /** Addresses that the page names as its own; null for one that is no address. */
  readonly canonicals: readonly (string | null)[];
  /** Its directives for search engines, in its markup and its headers, in lower case. */
  readonly robots: readonly string[];
  readonly links: readonly PageLink[];
  /** The addresses that it loads by plain http. */
  readonly insecureLoads: readonly string[];
  /** The texts of its blocks of JSON-LD. */
  readonly jsonLd: readonly string[];
  /** Whether it has structured data in its elements (microdata, RDFa). */
  readonly marked: boolean;
  readonly words: number;
}
