import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { providers } from '../../adapters/writer/llm/providers.ts';
import { stages } from '../../domain/pipeline/stages.ts';
import { root } from '../../runtime/home.ts';
import { run } from '../bench/run.ts';
import type { OnEnd } from '../bench/run.ts';
import { startPostgres } from '../bench/servers.ts';
import { StartError } from '../dev/home.ts';
import { evaluate } from './evaluate.ts';
import { createReport, formatReport } from './report.ts';
import { plant, startScriptedModel } from './scripted-model.ts';
import { languages, topicsOf } from './topics.ts';

const USAGE = `npm run eval -- --model NAME [--base-url URL] [--provider openai] [--stage improve] [--language de] [--topics 10]
    [--price-in 0.5 --price-out 2] [--max-tokens 16000] [--timeout 600] [--out docs/eval]
  takes 40 recorded topics in four languages through the stages of the pipeline, and writes a report
  --provider openai, anthropic or google; the last two need no --base-url. The key is LLM_API_KEY
  --stage is the last one to run, --topics the number in each language, --timeout the seconds of a call
  prices are for a million tokens
  --model scripted is a model of this tool that makes planted mistakes, scripted-clean one that makes none`;

const amount = z.coerce.number().min(0).optional();

const options = z.strictObject({
  model: z.string().min(1),
  'base-url': z.url().optional(),
  provider: z.enum(['openai', 'anthropic', 'google']).default('openai'),
  stage: z.enum(stages).default('improve'),
  language: z.enum(languages).optional(),
  topics: amount,
  'price-in': amount,
  'price-out': amount,
  'max-tokens': amount,
  timeout: amount.transform((seconds) => seconds && seconds * 1_000),
  out: z.string().default('docs/eval'),
});

/** @throws StartError with the usage */
function readOptions(): z.infer<typeof options> {
  try {
    const known = Object.keys(options.shape).map((name) => [name, { type: 'string' }] as const);
    return options.parse(parseArgs({ options: Object.fromEntries(known) }).values);
  } catch {
    throw new StartError(USAGE);
  }
}

async function main(onEnd: OnEnd): Promise<number> {
  const { model, provider, stage, language, timeout: timeoutMs, ...given } = readOptions();
  const wanted = language === undefined ? languages : [language];
  const topics = wanted.flatMap((each) => topicsOf(each).slice(0, given.topics));
  let baseUrl = given['base-url'] ?? providers[provider].vendor;
  if (model === 'scripted' || model === 'scripted-clean') {
    const server = await startScriptedModel(topics, model === 'scripted' ? plant(topics) : new Map());
    onEnd(() => server.close());
    baseUrl = server.url;
  }
  if (baseUrl === null) throw new StartError(`--base-url is missing: where ${model} is.\n\n${USAGE}`);
  const home = mkdtempSync(join(tmpdir(), 'presswork-eval-'));
  onEnd(async () => rmSync(home, { recursive: true, force: true }));
  const { url } = await startPostgres(home, onEnd);
  await migrate(url);
  const db = createDatabase({ connectionString: url, applicationName: 'presswork-eval' });
  onEnd(() => db.close());
  const apiKey = process.env['LLM_API_KEY'] ?? 'none';
  const limits = { maxOutputTokens: given['max-tokens'], silenceMs: timeoutMs, timeoutMs };
  const results = await evaluate(
    db,
    { provider, baseUrl, model, apiKey, ...limits },
    topics,
    stage,
    (result) =>
      console.log(`${result.language}/${result.name}: ${result.status}, ${result.findings.length} findings`),
  );
  const date = new Date().toISOString().slice(0, 10);
  const { 'price-in': input, 'price-out': output } = given;
  const prices = input === undefined || output === undefined ? null : { input, output };
  const report = createReport({ model, provider, date, prices }, results);
  const file = join(resolve(root, given.out), `${model.replaceAll(/[^\w.-]+/g, '-')}-${date}`);
  mkdirSync(resolve(root, given.out), { recursive: true });
  writeFileSync(`${file}.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${file}.md`, formatReport(report));
  console.log(`\n${formatReport(report)}\n${file}.md`);
  return 0;
}

run(main);
