import { buildKey, buildMember, buildSite } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { buildPurse, ended, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack } from '../support/pipeline.ts';
import { startTemporal } from '../support/temporal.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { startModelServer, writes } from '../adapters/writer/model-server.ts';
import type { ModelServer } from '../adapters/writer/model-server.ts';

/** More than the share of one organisation, and less than its work. */
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

/** Keys of Sites of one organisation. */
async function buildKeys(sites: number): Promise<readonly string[]> {
  const { db } = stack.api;
  const { organisationId, key } = await buildPurse(stack.api, 1_000);
  const memberId = await buildMember(db, organisationId);
  const more = Array.from({ length: sites - 1 }, async () =>
    buildKey(db, await buildSite(db, organisationId), memberId),
  );
  return [key, ...(await Promise.all(more)).map(({ secret }) => secret)];
}

test.each([
  ['one Site', 1],
  ['five Sites of one organisation', 5],
])('forty articles of %s at a model that does not answer delay nobody else’s run', async (_whose, sites) => {
  const held: (() => void)[] = [];
  model.reactions = [(...args) => void held.push(() => writes(...args))];
  const keys = await buildKeys(sites);
  const busy = (index: number): string => keys[index % sites] as string;
  const runs = await Promise.all(
    Array.from({ length: 10 }, (_, index) => startRun(stack.api, busy(index), { topics: topics(4) })),
  );
  await eventually('they use their share', () => held.length >= SHARE);
  model.reactions = [writes];
  const other = await buildPurse(stack.api, 100);
  const { id: otherId } = await startRun(stack.api, other.key, { topics: topics(1) });
  expect(await ended(stack.api, other.key, otherId)).toMatchObject({ status: 'completed' });
  // The busy runs also end, with each stage paid once.
  for (const answer of held) answer();
  for (const [index, { id }] of runs.entries())
    expect(await ended(stack.api, busy(index), id)).toMatchObject({ status: 'completed', credits_spent: 76 });
});
