import type { Site } from './sdk.ts';

export type PageKind = 'article' | 'category' | 'tag' | 'author';

/** Files that the API makes for every Site, and serves under its `public_base_url`. */
const files = ['rss.xml', 'atom.xml', 'feed.json', 'sitemap.xml', 'robots.txt', 'llms.txt'];
const feeds = ['rss.xml', 'atom.xml', 'feed.json'];

const kinds: readonly PageKind[] = ['category', 'tag', 'author', 'article'];

export const pathOf = (site: Site, kind: PageKind, slug: string): string =>
  site.url_paths[kind].replace('{slug}', slug);

/** The page at a path, by the paths that the Site has set; null if there can be none. */
export function pageAt(site: Site, path: string): { kind: PageKind; slug: string } | null {
  for (const kind of kinds) {
    const [before = '', after = ''] = site.url_paths[kind].split('{slug}');
    const slug = path.slice(before.length, path.length - after.length);
    if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) && path === before + slug + after) return { kind, slug };
  }
  return null;
}

/** The address of the public file at a path: of the Site, or the feed of a category, a tag or an author. */
export function fileAt(site: Site, path: string): string | null {
  const cut = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, cut), path.slice(cut + 1)];
  if (folder === '') return files.includes(name) ? `${site.public_base_url}/${name}` : null;
  const page = feeds.includes(name) ? pageAt(site, folder) : null;
  if (page === null || page.kind === 'article') return null;
  return `${site.public_base_url}/${page.kind}/${page.slug}/${name}`;
}

/** Widths in which the API serves each image of the Site. */
const widths = [320, 640, 960, 1280, 1920];

/** The `srcset` of an image of the Site's library, whose files are in one folder; null for one of another host. */
export function srcsetOf(site: Site, url: string): string | null {
  const folder = site.public_base_url.slice(site.public_base_url.lastIndexOf('/'));
  if (!url.includes(`${folder}/`) || url.includes('?')) return null;
  return widths.map((width) => `${url}?width=${width}&format=auto ${width}w`).join(', ');
}
