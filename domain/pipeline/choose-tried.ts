import type { Transaction } from '../../db/transaction.ts';
import { statement } from '../../db/sql.ts';
import { findMissingReferences } from '../articles/references.ts';
import { blankArticle } from '../articles/row.ts';
import { validationFailed } from '../kernel/errors.ts';
import { namedSources } from '../kernel/named-sources.ts';
import { prepareBrief } from './brief.ts';
import type { Topic as Told } from './brief.ts';
import type { Topic } from './choose.ts';
import { readArticleAndMemory } from './stage-execution-rows.ts';
import { isInPipeline } from './stages.ts';
import type { Stage } from './stages.ts';

/** What a prompt is tried on: exactly one of them. */
export interface Tried {
  readonly article_id?: string | undefined;
  readonly topic?: Topic | undefined;
}

/**
 * Reads what a stage would be told of an article of the pipeline, or of a topic.
 *
 * @returns also the pages that it names
 * @throws ServiceError VALIDATION_FAILED for unknown ids, and for an improvement of a topic, of which there is no text
 */
export async function chooseTried(
  tx: Transaction,
  siteId: string,
  stage: Stage,
  { article_id: articleId, topic }: Tried,
  now: Date,
): Promise<{ readonly told: Told; readonly urls: readonly string[] }> {
  if (topic !== undefined) {
    if (stage === 'improve')
      throw validationFailed({
        article_id: 'is required for improve, instead of topic: there is nothing to improve',
      });
    const { format_id = null, category_id, author_id } = topic;
    const missing = await findMissingReferences(tx, siteId, { category_id, author_id, format_id });
    const fields = Object.entries(missing).map(([name, message]) => [`topic.${name}`, message]);
    if (fields.length > 0) throw validationFailed(Object.fromEntries(fields));
    const article = { ...blankArticle, title: topic.title, format_id };
    const { keywords = [], notes = null } = topic;
    const memory = { keywords: [...keywords], notes, outline: null, source_text: null, extracts: [] };
    return {
      told: await prepareBrief(tx, siteId, { article, memory }, now),
      urls: namedSources(topic),
    };
  }
  const found = articleId === undefined ? null : await readOfSite(tx, siteId, articleId);
  if (found === null || !isInPipeline(found.article.status))
    throw validationFailed({
      article_id: 'is not the id of an article of this Site in a status of the pipeline',
    });
  return {
    told: await prepareBrief(tx, siteId, found, now),
    urls: namedSources(found.memory),
  };
}

async function readOfSite(tx: Transaction, siteId: string, articleId: string) {
  const known = await tx.exec(
    statement`select from articles where id = ${articleId} and site_id = ${siteId}`,
  );
  return known === 0 ? null : readArticleAndMemory(tx, articleId);
}
