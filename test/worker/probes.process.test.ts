import { randomUUID } from 'node:crypto';
import { freePort } from '../../runtime/free-port.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createWire, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, spawnWorker } from './processes.ts';

describe('the port for metrics answers probes', () => {
  let database: TestDatabase;
  let temporal: TestTemporal;

  beforeAll(async () => {
    [database, temporal] = await Promise.all([createTestDatabase(), startTemporal()]);
  });
  afterEach(() => endWorkers());
  afterAll(async () => {
    await temporal.close();
    await database.drop();
  });

  /** A worker, and what its probes answer; null while there is no answer. */
  async function start(temporalAddress: string, namespace: string) {
    const port = await freePort();
    const env = { METRICS_PORT: String(port) };
    const worker = spawnWorker({ databaseUrl: database.url, temporalAddress, namespace, env });
    worker.working.catch(() => {});
    const ask = async (path: string) => {
      const signal = AbortSignal.timeout(2_000);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal }).catch(() => null);
      return answer && { status: answer.status, temporal: ((await answer.json()) as any).temporal };
    };
    return { worker, ask };
  }

  test('of a worker that works, that stands still, and that ends', async () => {
    const { worker, ask } = await start(temporal.address, temporal.namespace);
    await worker.working;
    expect(await ask('/readyz')).toEqual({ status: 200, temporal: 'running' });
    expect(await ask('/livez')).toMatchObject({ status: 200 });
    worker.stall();
    expect(await ask('/livez')).toBeNull();
    worker.wakeUp();
    await eventually('it answers again', async () => (await ask('/readyz'))?.status === 200);
    const answers: unknown[] = [];
    const ending = { over: false };
    const stopping = worker.stop().finally(() => (ending.over = true));
    while (!ending.over) answers.push(await ask('/readyz'));
    expect(await stopping).toBe(0);
    expect(answers.filter(Boolean).at(-1)).toEqual({ status: 503, temporal: 'ending' });
  });

  test('of a worker that cannot reach Temporal: it is ready, because it sends webhooks', async () => {
    const wire = await createWire(temporal.address);
    await wire.cut();
    const { ask } = await start(wire.address, temporal.namespace);
    await eventually('it has tried', async () => (await ask('/readyz'))?.temporal === 'unreachable', 200);
    expect(await ask('/readyz')).toEqual({ status: 200, temporal: 'unreachable' });
  });

  test('of a worker that Temporal answers and that cannot start there, as with a wrong namespace: it is not ready', async () => {
    const { worker, ask } = await start(temporal.address, `unknown-${randomUUID()}`);
    await eventually('it has tried', () => worker.said().includes('cannot start in Temporal yet'), 200);
    expect(await ask('/readyz')).toEqual({ status: 503, temporal: 'starting' });
    expect(await ask('/livez')).toMatchObject({ status: 200 });
  });
});
