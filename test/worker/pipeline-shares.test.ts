import { eventually } from '../support/eventually.ts';
import { buildPurse, ended, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack } from '../support/pipeline.ts';
import { startTemporal } from '../support/temporal.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { startModelServer, writes } from '../adapters/writer/model-server.ts';
import type { ModelServer } from '../adapters/writer/model-server.ts';

/** More than the share of one Site, and less than its work. */
const SLOTS = 18;
/** The model's response time. */
const ANSWER_MS = 3_000;

const http = createGuardedClient();
let stack: PipelineStack;
let model: ModelServer;

beforeAll(async () => {
  [stack, model] = await Promise.all([startPipeline(startTemporal(), SLOTS), startModelServer()]);
  model.reactions = [(...args) => void setTimeout(() => writes(...args), ANSWER_MS)];
  const { jobProcesses } = stack;
  stack.writer = createModelWriter({ baseUrl: model.url, apiKey: 'key', model: 'test', http, jobProcesses });
});
afterAll(async () => {
  await stack.close();
  await model.close();
  await http.close();
});

/** Runs one article on a new Site. @returns how long it took, in ms */
async function alone(): Promise<number> {
  const purse = await buildPurse(stack.api, 100);
  const begun = performance.now();
  const run = await ended(
    stack.api,
    purse.key,
    (await startRun(stack.api, purse.key, { topics: topics(1) })).id,
  );
  expect(run.status).toBe('completed');
  return performance.now() - begun;
}

test('forty articles of one Site at a slow model do not delay another Site’s run', async () => {
  const undisturbed = await alone();
  const busy = await buildPurse(stack.api, 1_000);
  const runs = await Promise.all(
    Array.from({ length: 10 }, () => startRun(stack.api, busy.key, { topics: topics(4) })),
  );
  const asked = model.asked.length;
  await eventually('the busy Site uses its share', () => model.asked.length >= asked + 12);
  const disturbed = await alone();
  expect(disturbed).toBeLessThan(1.5 * undisturbed + ANSWER_MS);
  // The busy run also ends, with each stage paid once.
  model.reactions = [writes];
  for (const { id } of runs)
    expect(await ended(stack.api, busy.key, id)).toMatchObject({ status: 'completed', credits_spent: 76 });
});
