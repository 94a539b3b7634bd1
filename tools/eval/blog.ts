import type { Database } from '../../db/database.ts';
import { operator } from '../../domain/audit/record.ts';
import { createOrganisation } from '../../domain/organisations/organisations.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import type { Blog } from '../../domain/purge/public-urls.ts';
import { createArticle } from '../../domain/publication/create.ts';
import { ownArticlesOf } from './topics.ts';
import type { Language } from './topics.ts';

export interface EvalBlog extends Blog {
  readonly siteId: string;
  /** The slugs of what readers can open, and of a draft. */
  readonly published: ReadonlySet<string>;
  readonly draft: string;
}

const CREDITS = 1_000_000;

/** The address of a language's blog, which nothing serves. */
export const domainOf = (language: Language): string => `${language}.blog.example`;

/** A Site with the language's own articles. */
export async function createBlog(db: Database, language: Language): Promise<EvalBlog> {
  const own = ownArticlesOf(language);
  const siteId = await db.transaction(async (tx) => {
    const act = { tx, actor: operator, now: new Date() };
    const organisationId = await createOrganisation(act, {
      name: 'Evaluation',
      plan: 'pro',
      credits: CREDITS,
    });
    const place = { domain: domainOf(language), locale: language, timezone: 'UTC' };
    const id = await createSite(act, { organisationId, name: 'The blog', ...place, spendCap: null });
    for (const { title, slug, excerpt } of own)
      await createArticle(tx, act, { id }, { title, slug, excerpt, content: excerpt });
    return id;
  });
  const published = own.filter(({ isPublished }) => isPublished).map(({ slug }) => slug);
  await db.pool.query(
    `update articles set status = 'published', published_at = now() where site_id = $1 and slug = any($2)`,
    [siteId, published],
  );
  const { rows } = await db.pool.query<Blog>('select domain, url_paths from sites where id = $1', [siteId]);
  const draft = own.find(({ isPublished }) => !isPublished)?.slug ?? '';
  return { ...(rows[0] as Blog), siteId, published: new Set(published), draft };
}
