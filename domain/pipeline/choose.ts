import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql } from '../../db/sql.ts';
import { articleStatuses } from '../articles/row.ts';
import { findMissingReferences } from '../articles/references.ts';
import { conflict, validationFailed } from '../kernel/errors.ts';
import type { Run } from './run.ts';
import { isInPipeline, nextStage, stages } from './stages.ts';
import type { Stage, PipelinePosition } from './stages.ts';

/** A topic for which the pipeline creates an article. */
export interface Topic {
  readonly title: string;
  readonly keywords?: readonly string[] | undefined;
  readonly notes?: string | null | undefined;
  readonly source_url?: string | null | undefined;
  readonly source_urls?: readonly string[] | undefined;
  readonly format_id?: string | null | undefined;
  readonly category_id?: string | null | undefined;
  readonly author_id?: string | null | undefined;
}

/** The order of a run. An empty order means every article that an earlier run left unfinished. */
export interface Order {
  readonly topics?: readonly Topic[] | undefined;
  readonly articleIds?: readonly string[] | undefined;
  /** Items of the content plan; then nothing else is sent. */
  readonly planItemIds?: readonly string[] | undefined;
  /** The run whose unfinished articles are processed. */
  readonly resumed?: Run | undefined;
}

/** An article with a next stage. */
export interface Candidate {
  readonly id: string;
  readonly stage: Stage | null;
  readonly next: Stage;
}

const row = z.object({
  id: z.string(),
  status: z.enum(articleStatuses),
  stage: z.enum(stages).nullable(),
  held: z.boolean(),
});

const columns = sql.fragment`
  a.id, a.status, p.stage,
  exists (select from pipeline_run_articles h where h.article_id = a.id and h.held) as held`;

const NOTHING = 'There is nothing to do: no unfinished article is free from another run. Send topics.';

/**
 * Finds the articles that a run can process, in its order.
 *
 * @throws ServiceError CONFLICT if neither they nor topics leave anything to do, then VALIDATION_FAILED for ids that do
 *   not exist in the Site, or an article that the pipeline does not own
 */
export async function chooseArticles(
  tx: Transaction,
  siteId: string,
  order: Order,
): Promise<readonly Candidate[]> {
  const { topics = [], articleIds, resumed } = order;
  const asked = resumed === undefined ? articleIds : resumed.articles.map(({ article_id: id }) => id);
  const rows =
    asked !== undefined
      ? await findAsked(tx, siteId, asked)
      : topics.length > 0
        ? []
        : await findUnfinished(tx, siteId);
  const free = rows.filter(({ held }) => !held).flatMap(candidate);
  const known = rows.filter(({ status }) => isInPipeline(status));
  const unknown = articleIds === undefined ? {} : unusable(articleIds, known);
  const onlyUnknown = known.length === 0 && Object.keys(unknown).length > 0;
  if (free.length === 0 && topics.length === 0 && !onlyUnknown) throw conflict(NOTHING);
  const fields = { ...unknown, ...(await unknownInTopics(tx, siteId, topics)) };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  return free;
}

function candidate(found: PipelinePosition & { readonly id: string }): Candidate[] {
  const next = nextStage(found);
  return next === null ? [] : [{ id: found.id, stage: found.stage, next }];
}

/** @returns those of the articles that have a next stage, even if a run holds them */
export async function findCandidates(tx: Transaction, ids: readonly string[]): Promise<readonly Candidate[]> {
  const rows = await tx.any(sql.type(row)`
    select ${columns} from articles a left join pipeline_articles p on p.article_id = a.id
    where a.id = any(${array(ids, 'uuid')})`);
  return rows.flatMap(candidate);
}

/** @returns the named articles of the Site, in the order they are named */
async function findAsked(tx: Transaction, siteId: string, ids: readonly string[]) {
  const rows = await tx.any(sql.type(row)`
    select ${columns} from articles a left join pipeline_articles p on p.article_id = a.id
    where a.site_id = ${siteId} and a.id = any(${array(ids, 'uuid')})`);
  const byId = new Map(rows.map((one) => [one.id, one]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

const findUnfinished = (tx: Transaction, siteId: string) =>
  tx.any(sql.type(row)`
    select ${columns} from articles a join pipeline_articles p on p.article_id = a.id
    where a.site_id = ${siteId} and a.status in ('discovered', 'scored', 'scraped', 'generated')
    order by a.created_at, a.id`);

function unusable(ids: readonly string[], known: readonly { readonly id: string }[]): Record<string, string> {
  const names = new Set(known.map(({ id }) => id));
  const message = 'is not the id of an article of this Site in a status of the pipeline';
  return Object.fromEntries(
    ids.flatMap((id, index) => (names.has(id) ? [] : [[`article_ids.${index}`, message]])),
  );
}

async function unknownInTopics(
  tx: Transaction,
  siteId: string,
  topics: readonly Topic[],
): Promise<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [index, { category_id, author_id, format_id }] of topics.entries()) {
    const missing = await findMissingReferences(tx, siteId, { category_id, author_id, format_id });
    for (const [name, message] of Object.entries(missing)) fields[`topics.${index}.${name}`] = message;
  }
  return fields;
}
