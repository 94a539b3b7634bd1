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
    /** What it answers in the end, as a busy machine takes a while. */
    const answerOf = async (path: string) => {
      let answer: Awaited<ReturnType<typeof ask>> = null;
      await eventually('it answers', async () => (answer = await ask(path)) !== null);
      return answer;
    };
    return { worker, ask, answerOf };
  }

  test('of a worker that works, that stands still, and that ends', async () => {
    const wire = await createWire(temporal.address);
    const { worker, ask, answerOf } = await start(wire.address, temporal.namespace);
    await worker.working;
    expect(await answerOf('/readyz')).toEqual({ status: 200, temporal: 'running' });
    expect(await answerOf('/livez')).toMatchObject({ status: 200 });
    worker.stall();
    expect(await ask('/livez')).toBeNull();
    worker.wakeUp();
    await eventually('it answers again', async () => (await ask('/readyz'))?.status === 200);
    // It waits for Temporal's last answers, and is asked meanwhile.
    wire.silence();
    const stopping = worker.stop();
    await eventually('it says that it ends', async () => (await ask('/readyz'))?.temporal === 'ending');
    expect(await answerOf('/readyz')).toEqual({ status: 503, temporal: 'ending' });
    // With new connections it gets them.
    await wire.cut();
    await wire.open();
    expect(await stopping).toBe(0);
    await wire.cut();
  });

  test('of a worker that cannot reach Temporal: it is ready, because it sends webhooks', async () => {
    const wire = await createWire(temporal.address);
    await wire.cut();
    const { ask, answerOf } = await start(wire.address, temporal.namespace);
    await eventually('it has tried', async () => (await ask('/readyz'))?.temporal === 'unreachable', 200);
    expect(await answerOf('/readyz')).toEqual({ status: 200, temporal: 'unreachable' });
  });

  test('of a worker that Temporal answers and that cannot start there, as with a wrong namespace: it is not ready', async () => {
    const { worker, answerOf } = await start(temporal.address, `unknown-${randomUUID()}`);
    await eventually('it has tried', () => worker.said().includes('cannot start in Temporal yet'), 200);
    expect(await answerOf('/readyz')).toEqual({ status: 503, temporal: 'starting' });
    expect(await answerOf('/livez')).toMatchObject({ status: 200 });
  });
});
