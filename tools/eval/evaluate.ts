import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { createPipelineRunActivities } from '../../activities/pipeline-run.ts';
import type { Advance } from '../../activities/pipeline-run.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createPageVisitor } from '../../adapters/pages/visitor.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import type { ModelOptions } from '../../adapters/writer/llm/writer.ts';
import { createSourceReader } from '../../adapters/writer/source.ts';
import type { Database } from '../../db/database.ts';
import { operator } from '../../domain/audit/record.ts';
import { findBlueprint } from '../../domain/content-types/blueprint.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { createRun } from '../../domain/pipeline/create-run.ts';
import type { RunArticle } from '../../domain/pipeline/stage-execution-rows.ts';
import { stages } from '../../domain/pipeline/stages.ts';
import type { Stage } from '../../domain/pipeline/stages.ts';
import { recordAnswers } from './answers.ts';
import { createBlog } from './blog.ts';
import type { EvalBlog } from './blog.ts';
import { measure } from './measure.ts';
import type { StageCourse, TopicResult } from './measure.ts';
import { startSourceServer } from './source-server.ts';
import type { EvalTopic } from './topics.ts';

/** A worker tries longer; a model that fails twice is not worth the time. */
const TRIES = 2;
/** A failed stage stands in the report. */
const logger = new DefaultLogger('ERROR');

/**
 * Takes topics through the stages of the product, by its own code from the run to the stored article.
 *
 * @param db migrated, and empty but for the platform's rows @param last the last stage to run
 */
export async function evaluate(
  db: Database,
  model: Omit<ModelOptions, 'http' | 'jobProcesses'>,
  topics: readonly EvalTopic[],
  last: Stage,
  tell: (result: TopicResult) => void = () => {},
): Promise<readonly TopicResult[]> {
  const pages = await startSourceServer(topics);
  const http = createGuardedClient({ allowedHosts: new Set([pages.host]), targets: { plainHttp: true } });
  const processes = createJobProcesses();
  const { jobs, taken } = recordAnswers(processes);
  // Nobody else visits these pages, so none waits for a turn.
  const turns = { take: async () => 0, begin: async () => 0 };
  const activities = createPipelineRunActivities({
    db,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    writer: createModelWriter({ ...model, http, jobProcesses: jobs }),
    sources: createSourceReader(createPageVisitor({ http, turns }, jobs), jobs),
    jobProcesses: jobs,
  });
  const blogs = new Map<string, EvalBlog>();
  const results: TopicResult[] = [];
  try {
    for (const topic of topics) {
      const blog = blogs.get(topic.language) ?? (await createBlog(db, topic.language));
      blogs.set(topic.language, blog);
      const result = await take(topic, blog);
      results.push(result);
      tell(result);
    }
    return results;
  } finally {
    processes.close();
    await Promise.all([http.close(), pages.close()]);
  }

  async function take(topic: EvalTopic, blog: EvalBlog): Promise<TopicResult> {
    const urls = pages.urlsOf(topic);
    const of = await begin(topic, blog, urls);
    const done: StageCourse[] = [];
    let isSkipped = false;
    for (const stage of stages.slice(0, stages.indexOf(last) + 1)) {
      const begun = performance.now();
      const outcome = await perform(of, stage);
      const seconds = (performance.now() - begun) / 1_000;
      done.push({ stage, failed: outcome === null, seconds, answers: taken() });
      if (outcome?.kind !== 'done') break;
      if (outcome.costLeft > 0 || stage !== 'classify') continue;
      isSkipped = true;
      if (topic.duplicateOf !== null) break;
      await takeOn(of);
    }
    const { sections } = await findBlueprint(db, blog.siteId, null);
    const wordsAsked = sections.reduce((sum, { min_words: words = 0 }) => sum + words, 0);
    const { rows } = await db.pool.query<{ status: string; content: string | null }>(
      'select status, content from articles where id = $1',
      [of.articleId],
    );
    const stored = rows[0] ?? { status: 'gone', content: null };
    return measure(blog, { topic, urls, wordsAsked, isSkipped, ...stored, stages: done });
  }

  async function begin(topic: EvalTopic, { siteId }: EvalBlog, urls: string[]): Promise<RunArticle> {
    const { title, keywords, notes } = topic;
    const order = { topics: [{ title, keywords, notes, source_urls: urls }] };
    const run = await db.transaction((tx) =>
      createRun({ tx, actor: operator, now: new Date() }, { id: siteId }, order, 'llm'),
    );
    await activities.beginPipelineRun(siteId, run.id);
    return { runId: run.id, siteId, articleId: run.articles[0]?.article_id ?? '' };
  }

  /** Sets a topic that was wrongly skipped to the next stage, so that the later stages are measured all the same. */
  async function takeOn({ runId, articleId }: RunArticle): Promise<void> {
    await db.pool.query(`update articles set status = 'scored' where id = $1`, [articleId]);
    await db.pool.query(
      'update pipeline_run_articles set held = true where run_id = $1 and article_id = $2',
      [runId, articleId],
    );
  }

  /** Runs a stage as a worker does. @returns null if it failed for good */
  async function perform(of: RunArticle, stage: Stage): Promise<Advance | null> {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      try {
        const environment = new MockActivityEnvironment({ attempt }, { logger });
        return await environment.run((each: RunArticle) => activities.advanceArticle(each), of);
      } catch (error) {
        if (!(error instanceof ApplicationFailure) || error.type !== 'WriterError') throw error;
        if (error.nonRetryable) break;
      }
    }
    await activities.failArticle(of, `The stage ${stage} failed in each of ${TRIES} tries.`);
    return null;
  }
}
