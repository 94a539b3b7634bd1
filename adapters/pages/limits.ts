/** How much of a page is kept. */
export const limits = {
  links: 5_000,
  url: 2_000,
  linkText: 200,
  title: 1_000,
  description: 5_000,
  canonicals: 10,
  directives: 50,
  insecureLoads: 100,
  jsonLdBlocks: 100,
  jsonLdBytes: 1_000_000,
  /** Addresses in the sitemaps of an origin, also those of others. */
  sitemapUrls: 50_000,
  sitemapPages: 10_000,
} as const;
