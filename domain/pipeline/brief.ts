import type { Queryable } from '../../db/statements.ts';
import type { Article } from '../articles/row.ts';
import { findBlueprint } from '../content-types/blueprint.ts';
import { readAboutSite, textOfSources } from '../prompts/about-site.ts';
import type { BriefSource } from '../prompts/about-site.ts';
import { mapCitations } from './citations.ts';
import { extractsOf, withPages } from './sources.ts';
import type { Extract, FetchedPage } from './sources.ts';
import type { Memory } from './stage-execution-rows.ts';
import type { Brief, Draft } from './writer.ts';

/** What a writer may know of an article before a stage, but for the instructions. */
export type Topic = Omit<Brief, 'prompt'>;

export async function prepareBrief(
  db: Queryable,
  siteId: string,
  {
    article,
    memory,
  }: {
    readonly article: Pick<Article, 'title' | 'format_id' | 'sources' | keyof Draft>;
    readonly memory: Pick<Memory, 'keywords' | 'notes' | 'outline' | 'source_text' | 'extracts'>;
  },
  now: Date,
): Promise<Topic> {
  const { keywords, notes, outline, extracts } = memory;
  const title = article.title ?? '';
  const sources = sourcesOf(article.sources, extracts);
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
  // People may have put the sources into another order since the facts were taken from them.
  const numbers = new Map(sources.map(({ n, url }) => [url, n]));
  const numberNow = (n: number): number | null => numbers.get(extracts[n - 1]?.url ?? '') ?? null;
  const source = memory.source_text && mapCitations(memory.source_text, numberNow);
  return { title, keywords, source, sources, notes, locale, blueprint, outline, written, about };
}

const sourcesOf = (sources: Article['sources'], extracts: readonly Extract[]): readonly BriefSource[] => {
  const texts = new Map(extracts.map(({ url, text }) => [url, text || null]));
  return (sources ?? []).map(({ n, url, title, published_at }) => {
    return { n, url, title, published_at, text: texts.get(url) ?? null };
  });
};

/** What the stage that collects facts is told, once the pages of its topic are read. */
export function briefWithPages(topic: Topic, pages: readonly FetchedPage[]): Topic {
  const own = topic.sources.map((source) => ({ ...source, accessed_at: null }));
  const all = withPages(own, pages, null);
  const sources = sourcesOf(all, extractsOf(all, pages));
  const source = textOfSources(sources.filter(({ text }) => text !== null)) || null;
  return { ...topic, sources, source, about: { ...topic.about, sources: textOfSources(sources) } };
}
