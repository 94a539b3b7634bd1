import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
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
import type { Answer } from './answers.ts';
import { createBlog } from './blog.ts';
import type { EvalBlog } from './blog.ts';
import { measure } from './measure.ts';
import type { StageFigures, TopicResult } from './result.ts';
import { startSourceServer } from './source-server.ts';
import type { SourceServer } from './source-server.ts';
import { languages } from './topics.ts';
import type { EvalTopic } from './topics.ts';

export interface Evaluation {
  /** Migrated, and empty but for the platform's rows. */
  readonly db: Database;
  readonly model: Omit<ModelOptions, 'http' | 'jobProcesses'>;
  readonly topics: readonly EvalTopic[];
  /** The last stage to run. */
  readonly stage: Stage;
  readonly tell: (result: TopicResult) => void;
}

/** A real stage is tried longer; a model that fails twice is not worth the time. */
const TRIES = 2;

/** Takes each topic through the stages of the product, with its own code from the run to the stored article. */
export async function evaluate({ db, model, topics, stage: last, tell }: Evaluation): Promise<TopicResult[]> {
  const pages = await startSourceServer();
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
  try {
    const results: TopicResult[] = [];
    for (const language of languages) {
      const asked = topics.filter((topic) => topic.language === language);
      if (asked.length === 0) continue;
      const blog = await createBlog(db, language);
      for (const topic of asked) {
        const result = await evaluateTopic(blog, topic);
        results.push(result);
        tell(result);
      }
    }
    return results;
  } finally {
    processes.close();
    await Promise.all([http.close(), pages.close()]);
  }

  async function evaluateTopic(blog: EvalBlog, topic: EvalTopic): Promise<TopicResult> {
    const of = await begin(blog, topic, pages);
    const answers: Answer[] = [];
    const figures: StageFigures[] = [];
    for (const stage of stages.slice(0, stages.indexOf(last) + 1)) {
      const { done, goesOn, seconds } = await perform(of, stage);
      const since = taken();
      answers.push(...since);
      const first = since.filter(({ isFirst }) => isFirst);
      figures.push({
        stage,
        answers: first.length,
        fitting: first.filter(({ fits }) => fits).length,
        failed: !done,
        ...(await readTokens(of, stage)),
        seconds,
      });
      if (!goesOn) break;
    }
    const { sections } = await findBlueprint(db, blog.siteId, null);
    const wordsAsked = sections.reduce((sum, { min_words: words = 0 }) => sum + words, 0);
    const { status, content } = await readArticle(of);
    const urls = pages.urlsOf(topic);
    return measure(blog, { topic, urls, status, content, wordsAsked, answers, stages: figures });
  }

  async function begin(blog: EvalBlog, topic: EvalTopic, from: SourceServer): Promise<RunArticle> {
    const { siteId } = blog;
    const { title, keywords, notes } = topic;
    const run = await db.transaction((tx) =>
      createRun(
        { tx, actor: operator, now: new Date() },
        { id: siteId },
        { topics: [{ title, keywords, notes, source_urls: from.urlsOf(topic) }] },
        'llm',
      ),
    );
    await activities.beginPipelineRun(siteId, run.id);
    return { runId: run.id, siteId, articleId: run.articles[0]?.article_id ?? '' };
  }

  /** Runs a stage as a worker does. */
  async function perform(of: RunArticle, stage: Stage) {
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1_000;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      try {
        const environment = new MockActivityEnvironment({ attempt });
        const outcome = (await environment.run(activities.advanceArticle, of)) as Advance;
        const done = outcome.kind === 'done';
        return { done, goesOn: done && outcome.costLeft > 0, seconds: seconds() };
      } catch (error) {
        if (!(error instanceof ApplicationFailure) || error.type !== 'WriterError') throw error;
        if (error.nonRetryable) break;
      }
    }
    await activities.failArticle(of, `The stage ${stage} failed in each of ${TRIES} tries.`);
    return { done: false, goesOn: false, seconds: seconds() };
  }

  async function readTokens(of: RunArticle, stage: Stage) {
    const { rows } = await db.pool.query<{ inputTokens: number | null; outputTokens: number | null }>(
      `select sum(input_tokens)::int as "inputTokens", sum(output_tokens)::int as "outputTokens"
       from pipeline_steps where run_id = $1 and stage = $2`,
      [of.runId, stage],
    );
    return rows[0] ?? { inputTokens: null, outputTokens: null };
  }

  async function readArticle({ articleId }: RunArticle) {
    const { rows } = await db.pool.query<{ status: string; content: string | null }>(
      'select status, content from articles where id = $1',
      [articleId],
    );
    return rows[0] ?? { status: 'gone', content: null };
  }
}
