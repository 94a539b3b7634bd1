import type { Sitemap } from './read-sitemap.ts';

const nothing: readonly string[] = [];
const noSitemap: Sitemap = { pages: [], sitemaps: [], listed: 0, whole: false };

/** What each job (jobs.ts) says of a text that cannot be read, or not in time. */
export const unread = {
  mayVisit: false,
  sitemapsOf: nothing,
  readPage: null,
  readLinks: null,
  readSitemap: noSitemap,
} as const;
