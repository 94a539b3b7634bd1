import type { Queryable } from '../../db/statements.ts';
import type { Article } from '../articles/row.ts';
import { findBlueprint } from '../content-types/blueprint.ts';
import { readAboutSite } from '../prompts/about-site.ts';
import type { Memory } from './stage-execution-rows.ts';
import type { Brief, Draft } from './writer.ts';

/** What a writer may know of an article before a stage, but for the instructions. */
export type Topic = Omit<Brief, 'prompt'>;

/** @param source the text of the sources, or the facts extracted from them */
export async function prepareBrief(
  db: Queryable,
  siteId: string,
  {
    article,
    memory,
  }: {
    readonly article: Pick<Article, 'title' | 'format_id' | 'sources' | keyof Draft>;
    readonly memory: Pick<Memory, 'keywords' | 'notes' | 'outline' | 'extracts'>;
  },
  source: string | null,
  now: Date,
): Promise<Topic> {
  const { keywords, notes, outline } = memory;
  const title = article.title ?? '';
  const texts = new Map(memory.extracts.map(({ url, text }) => [url, text]));
  const sources = (article.sources ?? []).map(({ n, url, title: name, published_at }) => ({
    n,
    url,
    title: name,
    published_at,
    text: texts.get(url) ?? null,
  }));
  const [blueprint, { about, locale }] = await Promise.all([
    findBlueprint(db, siteId, article.format_id),
    readAboutSite(db, siteId, { title, keywords, notes, sources }, now),
  ]);
  const { content, excerpt, seo_title, seo_description, seo_keywords } = article;
  const { key_takeaways, faqs, howto_steps, comparison } = article;
  const written = {
    content,
    excerpt,
    seo_title,
    seo_description,
    seo_keywords,
    key_takeaways,
    faqs,
    howto_steps,
    comparison,
  } as Brief['written'];
  return { title, keywords, source, sources, notes, locale, blueprint, outline, written, about };
}
