import type { Blog, BlogPost } from '../blog.ts';
import { escapeHtml, plainText } from '../dom.ts';
import { toMarkdown } from '../markdown.ts';
import { inFile } from '../export-file.ts';
import type { ExportFile } from '../export-file.ts';
import type { EntryReport, Report } from '../report.ts';
import { resolveUrl } from '../text.ts';
import { readGhostExport } from './export.ts';
import type { GhostData, GhostPost, GhostTag, GhostUser } from './export.ts';
import { cardHtml } from './cards.ts';
import { lexicalHtml } from './lexical.ts';
import { mobiledocHtml } from './mobiledoc.ts';
import { simplifyCards } from './rendered-cards.ts';

/** The placeholder for the site's URL in an export. */
const PLACEHOLDER = '__GHOST_URL__';

/** Reads an export of Ghost. @throws UsageError if it is not one */
export function readGhost(
  [file]: readonly [ExportFile, ...ExportFile[]],
  url: string | null,
  report: Report,
): Blog {
  return inFile(file.path, () => blogOf(file.text, url, report));
}

function blogOf(json: string, url: string | null, report: Report): Blog {
  if (url === null && json.includes(PLACEHOLDER)) {
    report.note(
      'the export does not contain the URL of the blog. Without --url, images cannot be copied, and links are relative',
    );
  }
  const site = url?.replace(/\/+$/, '') ?? null;
  const data = readGhostExport(json);
  const index = indexOf(data);
  const posts = data.posts.filter((post) => isPost(post, report));
  return {
    name: plainText(data.settings.find(({ key }) => key === 'title')?.value ?? '') || null,
    url: site,
    authors: data.users.map((user) => ({
      ref: refOf(user),
      name: user.name,
      bio: user.bio || null,
      avatarUrl: placed(user.profile_image || user.image, site) || null,
    })),
    categories: [],
    tags: data.tags.flatMap((tag) => {
      const { id, slug, name } = tag;
      if (!isInternal(tag)) return [{ key: id, slug, name, fallbackSlug: `tag-${id}` }];
      report.leftOut('internal tag');
      return [];
    }),
    posts: posts.map((post) => postOf(post, index, site, report)),
  };
}

const refOf = ({ slug, id }: GhostUser): string => slug || id;
const isInternal = ({ name, visibility }: GhostTag): boolean =>
  visibility === 'internal' || name.startsWith('#');

function isPost(post: GhostPost, report: Report): boolean {
  if (post.type !== 'page' && !post.page) return true;
  report.leftOut('page');
  report.entry('page', post.title || post.slug).note('left out: only posts become articles');
  return false;
}

interface Index {
  readonly authors: ReadonlyMap<string, readonly GhostUser[]>;
  readonly tags: ReadonlyMap<string, readonly string[]>;
  readonly meta: ReadonlyMap<string, GhostData['posts_meta'][number]>;
  readonly users: ReadonlyMap<string, GhostUser>;
}

function indexOf(data: GhostData): Index {
  const users = new Map(data.users.map((user) => [user.id, user]));
  const bySort = <T extends { sort_order: number }>(rows: readonly T[]): T[] =>
    rows.toSorted((left, right) => left.sort_order - right.sort_order);
  const authors = Map.groupBy(bySort(data.posts_authors), ({ post_id: post }) => post);
  const tags = Map.groupBy(bySort(data.posts_tags), ({ post_id: post }) => post);
  return {
    users,
    authors: new Map(
      [...authors].map(([post, rows]) => [post, rows.flatMap((row) => users.get(row.author_id) ?? [])]),
    ),
    tags: new Map([...tags].map(([post, rows]) => [post, rows.map((row) => row.tag_id)])),
    meta: new Map(data.posts_meta.map((row) => [row.post_id, row])),
  };
}

function postOf(post: GhostPost, index: Index, site: string | null, report: Report): BlogPost {
  const about = report.entry('post', post.title || post.slug || post.id);
  const meta = index.meta.get(post.id);
  const image = placed(post.feature_image || post.image, site);
  noteLosses(post, about);
  return {
    report: about,
    externalId: /^\d+$/.test(post.id) ? post.uuid || post.id : post.id,
    status: statusOf(post, about),
    title: post.title === '(Untitled)' ? '' : post.title,
    slug: /^untitled(?:-\d+)?$/.test(post.slug) && post.status !== 'published' ? '' : post.slug,
    fallbackSlug: `post-${post.id}`,
    content: () => contentOf(post, site, about),
    excerpt: post.custom_excerpt,
    seoTitle: meta?.meta_title || post.meta_title,
    seoDescription: meta?.meta_description || post.meta_description,
    image: image === '' ? null : { url: image, alt: meta?.feature_image_alt ?? '' },
    author: authorOf(post, index, about),
    category: null,
    tags: index.tags.get(post.id) ?? [],
    publishedAt: timeOf(post.published_at),
    updatedAt: timeOf(post.updated_at),
  };
}

function authorOf(post: GhostPost, { authors, users }: Index, report: EntryReport): string | null {
  const named = authors.get(post.id) ?? [];
  const first = named[0] ?? users.get(post.author_id);
  if (named.length > 1) {
    const others = named.slice(1).map(({ name }) => name);
    report.note(`an article has one author; left out: ${others.join(', ')}`);
  }
  return first === undefined ? null : refOf(first);
}

function statusOf(
  { status, visibility, published_at: time, html, lexical }: GhostPost,
  report: EntryReport,
): 'published' | 'draft' {
  if (status === 'published' && !['', 'public'].includes(visibility)) {
    report.note(`is for ${visibility} only; it becomes a draft, so that it is not public`);
    return 'draft';
  }
  if (status === 'published' && (html === '' ? gatedCard : gatedBlock).test(html || lexical)) {
    report.note('has parts for members only; it becomes a draft, so that they are not public');
    return 'draft';
  }
  if (status === 'published') return 'published';
  if (status === 'sent') report.note('was only sent by e-mail and never published; it becomes a draft');
  else if (status === 'scheduled') {
    report.note(
      `was scheduled for ${timeOf(time)?.toISOString() ?? 'a time'}; it becomes a draft: schedule it again`,
    );
  } else if (status !== 'draft') report.note(`its status is "${status}"; it becomes a draft`);
  return 'draft';
}

/** How Ghost marks what not everybody sees, in what it rendered and in the editor's document. */
const gatedBlock = /<!--\s?kg-gated-block:begin\s[^>]{0,200}nonMember:false/;
const gatedCard = /"nonMember"\s*:\s*false/;

function noteLosses(post: GhostPost, report: EntryReport): void {
  if (post.canonical_url !== '') report.note(`its canonical URL is left out: ${post.canonical_url}`);
  if (post.codeinjection_head !== '' || post.codeinjection_foot !== '')
    report.note('its injected code is left out');
}

/** Parses an ISO date-time, milliseconds (old exports), or a MySQL date-time in UTC. */
function timeOf(value: unknown): Date | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const plain = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(value) : null;
  const time = new Date(plain === null ? value : `${plain[1]}T${plain[2]}Z`);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time : null;
}

/** Replaces the placeholder in a URL by the site's URL. */
function placed(address: string, site: string | null): string {
  const whole = address.replace(PLACEHOLDER, site ?? '');
  return whole === '' ? '' : resolveUrl(whole, site);
}

function contentOf(post: GhostPost, site: string | null, report: EntryReport): string {
  const lost = new Set<string>();
  const html = (htmlOf(post, (card) => lost.add(card)) ?? '').replaceAll(PLACEHOLDER, escapeHtml(site ?? ''));
  const note = (message: string): void => report.note(message);
  if (lost.size > 0) note(`its cards ${[...lost].join(', ')} are left out`);
  return toMarkdown(html, {
    base: site,
    note,
    differs: (message) => report.differs(message),
    adapt: (body) => simplifyCards(body, note),
  });
}

/** The HTML that Ghost rendered; without it, rendered from the editor's document. */
function htmlOf(
  { html, lexical, mobiledoc, markdown }: GhostPost,
  lost: (card: string) => void,
): string | null {
  if (html !== '') return html;
  if (lexical !== '') return lexicalHtml(lexical, lost);
  if (mobiledoc !== '') return mobiledocHtml(mobiledoc, lost);
  return markdown === '' ? null : cardHtml('markdown', { markdown });
}
