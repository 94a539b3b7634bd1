import { eventually } from '../support/eventually.ts';
import { letPass } from '../support/passing-time.ts';
import { useApi } from '../support/api.ts';

const never = (): Promise<never> => new Promise(() => {});
const outbox = { waiting: 0, oldest_seconds: 0, failing: 0 };

type Check = () => Promise<void>;
let checks: { database: Check; storage: Check; outbox: () => Promise<typeof outbox> };
let asked = 0;

const api = await useApi(
  {},
  {
    checks: {
      database: () => ((asked += 1), checks.database()),
      storage: () => checks.storage(),
      outbox: () => checks.outbox(),
    },
  },
);
beforeEach(async () => {
  // Earlier results are no longer valid.
  await letPass(1_000);
  checks = { database: async () => {}, storage: async () => {}, outbox: async () => outbox };
  asked = 0;
});

const readyz = () => api.request('GET', `${api.origin}/readyz`);

test('any number of probes per second check the servers once', async () => {
  // On a busy machine a second may pass between some of them.
  await eventually('the servers are checked once', async () => {
    await letPass(1_000);
    asked = 0;
    const answers = await Promise.all(Array.from({ length: 50 }, readyz));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await readyz();
    return asked === 1;
  });
  await letPass(1_000);
  await readyz();
  expect(asked).toBe(2);
});

test.each(['database', 'storage'] as const)(
  'a %s that never answers is unreachable in time',
  async (name) => {
    checks[name] = never;
    const { status, headers, data } = await readyz();
    expect([status, data.checks[name], Number(headers.get('retry-after')) > 0]).toEqual([
      503,
      'unreachable',
      true,
    ]);
    const healthz = await api.request('GET', `${api.origin}/healthz`);
    expect(healthz.status).toBe(200);
  },
);

test('an outbox that cannot be read in time is left out', async () => {
  checks.outbox = never;
  const { status, data } = await readyz();
  expect([status, data.outbox]).toEqual([200, null]);
});

test('it is ready again a second after the dependency is back', async () => {
  checks.database = async () => {
    throw new Error('away');
  };
  expect((await readyz()).status).toBe(503);
  checks.database = async () => {};
  await letPass(1_000);
  expect((await readyz()).status).toBe(200);
});
