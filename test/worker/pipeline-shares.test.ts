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
const SHARE = 12;
const http = createGuardedClient();
let stack: PipelineStack;
let model: ModelServer;

beforeAll(async () => {
  [stack, model] = await Promise.all([startPipeline(startTemporal(), SLOTS), startModelServer()]);
  const { jobProcesses } = stack;
  stack.writer = createModelWriter({ baseUrl: model.url, apiKey: 'key', model: 'test', http, jobProcesses });
});
afterAll(async () => {
  await stack.close();
  await model.close();
  await http.close();
});

test('forty articles of one Site at a model that does not answer delay no other Site’s run', async () => {
  const held: (() => void)[] = [];
  model.reactions = [(...args) => void held.push(() => writes(...args))];
  const busy = await buildPurse(stack.api, 1_000);
  const runs = await Promise.all(
    Array.from({ length: 10 }, () => startRun(stack.api, busy.key, { topics: topics(4) })),
  );
  await eventually('the busy Site uses its share', () => held.length >= SHARE);
  model.reactions = [writes];
  const other = await buildPurse(stack.api, 100);
  const { id: otherId } = await startRun(stack.api, other.key, { topics: topics(1) });
  expect(await ended(stack.api, other.key, otherId)).toMatchObject({ status: 'completed' });
  // The busy runs also end, with each stage paid once.
  for (const answer of held) answer();
  for (const { id } of runs)
    expect(await ended(stack.api, busy.key, id)).toMatchObject({ status: 'completed', credits_spent: 76 });
});
