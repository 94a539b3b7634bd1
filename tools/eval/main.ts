import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { root } from '../../runtime/home.ts';
import { run } from '../bench/run.ts';
import type { OnEnd } from '../bench/run.ts';
import { startPostgres } from '../bench/servers.ts';
import { StartError } from '../dev/home.ts';
import { evaluate } from './evaluate.ts';
import { plant } from './mistakes.ts';
import { readOptions } from './options.ts';
import { createReport, formatReport } from './report.ts';
import type { TopicResult } from './result.ts';
import { startScriptedModel } from './scripted-model.ts';
import { topicsOf } from './topics.ts';
import type { EvalTopic } from './topics.ts';

async function main(onEnd: OnEnd): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { model, provider, stage, prices } = options;
  const topics = options.languages.flatMap((language) => topicsOf(language).slice(0, options.topics));
  const baseUrl = options.baseUrl ?? (await scripted(model, topics, onEnd));
  const home = mkdtempSync(join(tmpdir(), 'presswork-eval-'));
  onEnd(async () => rmSync(home, { recursive: true, force: true }));
  const { url } = await startPostgres(home, onEnd);
  await migrate(url);
  const db = createDatabase({ connectionString: url, applicationName: 'presswork-eval' });
  onEnd(() => db.close());
  const results = await evaluate({
    db,
    model: {
      provider,
      baseUrl,
      model,
      apiKey: process.env['LLM_API_KEY'] ?? 'none',
      maxOutputTokens: options.maxTokens,
      silenceMs: options.timeoutMs,
      timeoutMs: options.timeoutMs,
    },
    topics,
    stage,
    tell: (result) => console.log(lineOf(result)),
  });
  const date = new Date().toISOString().slice(0, 10);
  const report = createReport({ model, provider, date, stage, prices }, results);
  const folder = resolve(root, options.out);
  const file = join(folder, `${model.replaceAll(/[^\w.-]+/g, '-')}-${date}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.json`, `${JSON.stringify({ ...report, results }, null, 2)}\n`);
  writeFileSync(`${file}.md`, formatReport(report));
  console.log(`\n${formatReport(report)}\n${file}.md`);
  return 0;
}

/** @throws StartError for a model that is somewhere else */
async function scripted(model: string, topics: readonly EvalTopic[], onEnd: OnEnd): Promise<string> {
  if (model !== 'scripted' && model !== 'scripted-clean') {
    throw new StartError(`Where is ${model}? Give --base-url, with the segment of the version.`);
  }
  const server = await startScriptedModel(topics, model === 'scripted' ? plant(topics) : new Map());
  onEnd(() => server.close());
  return server.url;
}

function lineOf({ language, name, status, stages, findings }: TopicResult): string {
  const seconds = stages.reduce((sum, stage) => sum + stage.seconds, 0);
  return `${language}/${name}: ${status}, ${stages.length} stages, ${seconds.toFixed(1)} s, ${findings.length} findings`;
}

run(main);
