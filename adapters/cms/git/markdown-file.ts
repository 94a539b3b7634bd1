import { withDefinitions } from '../../../packages/base/markdown/sources.ts';
import type { Post } from '../../../domain/cms/post.ts';

/** The name of a post's file in a folder of the repository. */
export const pathOf = (folder: string, { slug }: Pick<Post, 'slug'>): string =>
  [...folder.split('/').filter((part) => part !== ''), `${slug}.md`].join('/');

/** Posts as files, each made when the one before it has been taken: all of them may be as large as the posts. */
export function* markdownFiles(posts: readonly Post[]): Iterable<string> {
  for (const post of posts) yield markdownFile(post);
}

/**
 * A post as generators of static sites read it (docs/spec/rulings.md, 20, Connections): YAML front matter, then the
 * Markdown. Images keep their absolute addresses, because where a file beside it is found differs between generators.
 */
function markdownFile(post: Post): string {
  const image = post.featured_image_url;
  const members: readonly (readonly [name: string, value: string | null])[] = [
    ['title', scalar(post.title)],
    ['slug', scalar(post.slug)],
    ['date', post.published_at?.toISOString() ?? null],
    ['updated', (post.content_updated_at ?? post.published_at)?.toISOString() ?? null],
    ['excerpt', scalar(post.excerpt)],
    ['tags', list(post.tags.map(({ name }) => name))],
    ['category', scalar(post.category?.name ?? null)],
    ['author', scalar(post.author?.name ?? null)],
    ...(image === null ? [] : [['image', scalar(image)] as const]),
    ...(post.seo_title === null ? [] : [['seo_title', scalar(post.seo_title)] as const]),
    ...(post.seo_description === null ? [] : [['seo_description', scalar(post.seo_description)] as const]),
  ];
  const lines = members.map(([name, value]) => `${name}: ${value ?? 'null'}`);
  const content = withDefinitions(post.content ?? '', post.sources);
  return `---\n${lines.join('\n')}\n---\n\n${content}${content.endsWith('\n') ? '' : '\n'}`;
}

const list = (texts: readonly string[]): string => `[${texts.map(scalar).join(', ')}]`;

/** A text in double quotes, whose escapes YAML shares with JSON, and null. */
const scalar = (text: string | null): string =>
  // YAML reads these as line breaks or refuses them.
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
