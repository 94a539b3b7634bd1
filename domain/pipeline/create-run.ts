import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, json, sql, statement } from '../../db/sql.ts';
import { makerOf } from '../access/standing.ts';
import { createArticle } from '../publication/create.ts';
import type { ArticleSite } from '../publication/create.ts';
import type { Act } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { requireCredits } from '../usage/require-credits.ts';
import { countPipelineRun } from '../usage/usage.ts';
import { assignArticles, startItemsOf } from '../content-plan/take.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { chooseArticles, findCandidates } from './choose.ts';
import type { Candidate, Order, Topic } from './choose.ts';
import { choosePlanItems } from './choose-plan-items.ts';
import type { PlannedWork } from './choose-plan-items.ts';
import { getRun } from './run.ts';
import type { Run, WriterName } from './run.ts';
import { stageCost, stagesFrom } from './stages.ts';

const articleIdRow = z.object({ article_id: z.string() });

/**
 * Starts a run (docs/spec/rulings.md, 10): chooses its articles, creates those of its topics and plan items, checks that
 * they can be paid, and leaves the rest to its workflow.
 *
 * @throws ServiceError CONFLICT if there is nothing to do, VALIDATION_FAILED for unknown ids, INSUFFICIENT_CREDITS or
 *   SPEND_CAP_REACHED if not even the cheapest next stage can be paid
 */
export async function createRun(act: Act, site: ArticleSite, order: Order, writer: WriterName): Promise<Run> {
  const { tx, now } = act;
  const { id: siteId } = site;
  const { topics = [], planItemIds } = order;
  const planned = planItemIds && (await choosePlanItems(tx, siteId, planItemIds, now));
  const chosen = planned === undefined ? await chooseArticles(tx, siteId, order) : [];
  const stagesNext = [
    ...topics.map(() => 'classify' as const),
    ...chosen.map(({ next }) => next),
    ...(planned ?? []).map(({ begun }) => begun?.next ?? 'classify'),
  ];
  const cheapest = Math.min(...stagesNext.map((stage) => stageCost[stage]));
  await requireCredits(tx, siteId, cheapest, { unit: 'stage', started: 'run' }, now);

  const id = newId();
  const runId = await insertRun(act, siteId, id, writer);
  const found = [...chosen, ...(await discoverPlanned(act, site, planned ?? []))];
  const held = await dropFinished(tx, runId, await hold(tx, runId, found, 0));
  const made: Candidate[] = [];
  for (const topic of topics) made.push(await discover(act, site, topic));
  await hold(tx, runId, made, found.length);
  const taken = [...held, ...made];
  if (taken.length === 0) {
    throw conflict('There is nothing to do: another run has just taken these articles.');
  }
  await startItemsOf(
    tx,
    runId,
    taken.map((candidate) => candidate.id),
    now,
  );
  await setTotal(tx, runId, taken);
  await countPipelineRun(tx, siteId, now);
  signalWorkflow(tx, 'pipeline-run', { runId, siteId, signal: 'start' }, now);
  return getRun(tx, siteId, runId);
}

/** The articles of plan items, in their order; those that no earlier run began are made. */
async function discoverPlanned(
  act: Act,
  site: ArticleSite,
  planned: readonly PlannedWork[],
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { item, begun } of planned) candidates.push(begun ?? (await discover(act, site, item)));
  const made = planned.map(({ item }, index) => ({
    itemId: item.id,
    articleId: (candidates[index] as Candidate).id,
  }));
  await assignArticles(act.tx, made);
  return candidates;
}

async function insertRun(
  { tx, actor, now }: Act,
  siteId: string,
  id: string,
  writer: WriterName,
): Promise<string> {
  await tx.exec(statement`
    insert into pipeline_runs (id, site_id, status, writer, stages_total, created_at, key_id)
    values (${id}, ${siteId}, 'queued', ${writer}, 0, ${at(now)}, ${makerOf(actor)})`);
  return id;
}

/** Creates the article of a topic, in the first status of the pipeline. */
async function discover(act: Act, site: ArticleSite, topic: Topic): Promise<Candidate> {
  const { title, format_id, category_id, author_id } = topic;
  const article = await createArticle(
    act.tx,
    act,
    site,
    { title, format_id: format_id ?? null, category_id: category_id ?? null, author_id: author_id ?? null },
    'discovered',
  );
  await act.tx.exec(statement`
    insert into pipeline_articles (article_id, site_id, keywords, notes, source_url, source_urls)
    values (
      ${article.id}, ${site.id}, ${json(topic.keywords ?? [])}, ${topic.notes ?? null}, ${topic.source_url ?? null},
      ${json(topic.source_urls ?? [])}
    )`);
  return { id: article.id, stage: null, next: 'classify' };
}

/**
 * Takes articles for the run, except those that another run has taken meanwhile: the constraint decides.
 *
 * @returns the articles that were taken
 */
async function hold(
  tx: Transaction,
  runId: string,
  candidates: readonly Candidate[],
  firstPosition: number,
): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return [];
  // In the order of the ids, so that two runs that take the same articles never deadlock.
  const rows = await tx.any(sql.type(articleIdRow)`
    insert into pipeline_run_articles (run_id, article_id, position, stage)
    select ${runId}, c.id, ${firstPosition}::int + c.position, c.stage from unnest(
      ${array(
        candidates.map(({ id }) => id),
        'uuid',
      )},
      ${array(
        candidates.map(({ stage }) => stage),
        'text',
      )}
    ) with ordinality as c (id, stage, position)
    order by c.id
    on conflict (article_id) where held do nothing
    returning article_id`);
  const taken = new Set(rows.map(({ article_id: id }) => id));
  return candidates.filter(({ id }) => taken.has(id));
}

/**
 * Reads the taken articles again: the run that held them until a moment ago may have changed them, or a
 * person rejected them.
 *
 * @returns those with a next stage, as they are now
 */
async function dropFinished(
  tx: Transaction,
  runId: string,
  taken: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (taken.length === 0) return [];
  const ids = taken.map(({ id }) => id);
  // A rejection locks them, too (reject.ts).
  await tx.exec(statement`
    select from articles where id = any(${array(ids, 'uuid')}) order by id for no key update`);
  const left = await findCandidates(tx, ids);
  const kept = left.map(({ id }) => id);
  await tx.exec(statement`
    delete from pipeline_run_articles where run_id = ${runId} and article_id <> all(${array(kept, 'uuid')})`);
  await tx.exec(statement`
    update pipeline_run_articles ra set stage = p.stage from pipeline_articles p
    where ra.run_id = ${runId} and p.article_id = ra.article_id and ra.stage is distinct from p.stage`);
  return left;
}

async function setTotal(tx: Transaction, runId: string, taken: readonly Candidate[]): Promise<void> {
  const total = taken.reduce((sum, { next }) => sum + stagesFrom(next).length, 0);
  await tx.exec(statement`update pipeline_runs set stages_total = ${total} where id = ${runId}`);
}
