import { pageKinds, publicUrl } from '../../../domain/purge/public-urls.ts';
import { partsOf } from '../../../domain/delivery/sitemap.ts';
import type { Sitemap, SitemapPart } from '../../../domain/delivery/sitemap.ts';
import { document, xml } from './xml.ts';

/** The addresses of a sitemap or of one of its parts, as a file of sitemaps.org. */
export const urlSet = ({ pages, ...blog }: SitemapPart): string => {
  const urls = pages.map(({ kind, slug, modified }) => {
    const lastModified =
      modified === null ? null : xml`<lastmod>${new Date(modified).toISOString()}</lastmod>`;
    return xml`<url><loc>${publicUrl(blog, kind, slug)}</loc>${lastModified}</url>\n`;
  });
  return document(xml`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>`);
};

/** The parts of a sitemap with more addresses than one file may have. */
export function sitemapIndex({ counts }: Pick<Sitemap, 'counts'>, baseUrl: string): string {
  const parts = pageKinds.flatMap((kind) =>
    Array.from(
      { length: partsOf(counts[kind]) },
      (_, index) => `${baseUrl}/sitemap-${kind}-${index + 1}.xml`,
    ),
  );
  const sitemaps = parts.map((url) => xml`<sitemap><loc>${url}</loc></sitemap>\n`);
  return document(
    xml`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${sitemaps}</sitemapindex>`,
  );
}
