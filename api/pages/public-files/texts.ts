import { homeUrl, publicUrl } from '../../../domain/purge/public-urls.ts';
import type { Overview } from '../../../domain/delivery/overview.ts';

export const robots = (baseUrl: string): string =>
  `User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`;

/** An overview of a blog for language models, in Markdown (llmstxt.org). */
export function llms({ articles, ...blog }: Overview, baseUrl: string): string {
  const lines = articles.map(({ slug, title, description }) => {
    const link = `- [${inline(title)}](${publicUrl(blog, 'article', slug)})`;
    return description === null ? link : `${link}: ${inline(description)}`;
  });
  return `# ${inline(blog.name)}

> The articles of ${homeUrl(blog)}, newest first. The [sitemap](${baseUrl}/sitemap.xml) has all of them.

## Articles

${lines.join('\n')}
`;
}

/** A text of one line that Markdown shows as it is. */
const inline = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .replaceAll(/[\\`*_[\]<>#]/g, (mark) => `\\${mark}`);
