import { articleSlugOf } from '../../../domain/purge/public-urls.ts';
import type { Blog } from '../../../domain/purge/public-urls.ts';

export interface CheckedLink {
  readonly url: string;
  readonly place: 'inside' | 'source' | 'outside';
  /** Whether it leads to a published article, to the home page or to a source. */
  readonly resolves: boolean;
}

/** The links of a Markdown text. @param published the slugs of the published articles */
export const checkLinks = (
  markdown: string,
  blog: Blog,
  published: ReadonlySet<string>,
  sources: readonly string[],
): readonly CheckedLink[] =>
  linksOf(markdown).map((url) => {
    if (sources.includes(url)) return { url, place: 'source', resolves: true };
    const target = URL.parse(url, `https://${blog.domain}/`);
    if (target === null || target.host !== blog.domain) return { url, place: 'outside', resolves: false };
    const slug = articleSlugOf(blog, target.href);
    return { url, place: 'inside', resolves: target.pathname === '/' || published.has(slug ?? '') };
  });

const linksOf = (markdown: string): readonly string[] => [
  ...new Set(
    [
      ...markdown.matchAll(/\]\(\s*<?([^\s)>]+)/g),
      ...markdown.matchAll(/<(https?:[^\s>]+)>/g),
      ...markdown.matchAll(/^\[(?!\^)[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/gm),
      ...markdown.matchAll(/(?<![(<\w:])(https?:\/\/[^\s)>\]]+)/g),
    ].map(([, url = '']) => url.replace(/[.,;:!?]+$/, '')),
  ),
];
