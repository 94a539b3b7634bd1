import { setTimeout as sleep } from 'node:timers/promises';
import { FairSemaphore, NoPermit } from '../../runtime/fair-semaphore.ts';
import { measureWork } from '../support/work.ts';
import type { AcquireOptions, FairSemaphoreOptions, Release } from '../../runtime/fair-semaphore.ts';

const roomy = { permits: 3, tenantPermits: 2, waiting: 100, tenantWaiting: 100, longestWaitMs: 30_000 };
const single = { ...roomy, permits: 1, tenantPermits: 1 };

/** Aborts what still waits when a test ends, so that no rejection follows it. */
let testEnd: AbortController;
let semaphore: FairSemaphore;
/** The admitted tenants in order, with the functions that release their permits. */
let admitted: string[];
let releases: Release[];

beforeEach(() => {
  testEnd = new AbortController();
  admitted = [];
  releases = [];
});
afterEach(() => {
  testEnd.abort(new Error('the test has ended'));
  expect(semaphore.waiting).toBe(0);
});

const create = (options: FairSemaphoreOptions): FairSemaphore => (semaphore = new FairSemaphore(options));

function come(
  tenant: string,
  { signal = testEnd.signal, ...options }: AcquireOptions = {},
): Promise<Release> {
  const acquired = semaphore.acquire(tenant, { signal, ...options }).then((release) => {
    admitted.push(tenant);
    releases.push(release);
    return release;
  });
  acquired.catch(() => {});
  return acquired;
}

/** Lets promises settle. */
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** All calls are concurrent. */
async function comeAll(...tenants: readonly string[]): Promise<void> {
  for (const tenant of tenants) void come(tenant);
  await tick();
}

/** Releases the oldest permit. */
async function releaseOne(): Promise<void> {
  releases.shift()?.();
  await tick();
}

const refusal = (acquired: Promise<unknown>): Promise<unknown> => acquired.catch((error: unknown) => error);

describe('reserved permits', () => {
  test('are for tenants that hold none', async () => {
    create({ ...roomy, permits: 4, tenantPermits: 4, reserved: 2 });
    await comeAll('a', 'a', 'a');
    expect(admitted).toEqual(['a', 'a']);
    await comeAll('b', 'b', 'c');
    expect(admitted).toEqual(['a', 'a', 'b', 'c']);
  });

  test('come back as such: what is released goes to those who hold none, or stays', async () => {
    create({ ...roomy, permits: 4, tenantPermits: 4, reserved: 2 });
    await comeAll('a', 'a', 'b', 'c', 'a');
    await releaseOne();
    expect([admitted, semaphore.waiting]).toEqual([['a', 'a', 'b', 'c'], 1]);
    await comeAll('d');
    expect(admitted).toEqual(['a', 'a', 'b', 'c', 'd']);
    await releaseOne();
    expect([admitted.at(-1), semaphore.waiting]).toEqual(['a', 0]);
  });
});

describe('permits', () => {
  test('are granted up to the tenant’s share; the rest is available to others at once', async () => {
    create(roomy);
    await comeAll('greedy', 'greedy', 'greedy', 'greedy', 'other');
    expect(admitted).toEqual(['greedy', 'greedy', 'other']);
    await releaseOne();
    expect(admitted).toEqual(['greedy', 'greedy', 'other', 'greedy']);
  });

  test('are granted up to their number', async () => {
    create(roomy);
    await comeAll('a', 'b', 'c', 'd');
    expect(admitted).toEqual(['a', 'b', 'c']);
    await releaseOne();
    expect(admitted).toEqual(['a', 'b', 'c', 'd']);
  });

  test('without a total limit are only limited for each tenant', async () => {
    create({ ...roomy, permits: Infinity });
    const others = Array.from({ length: 50 }, (_, index) => `other ${index}`);
    await comeAll('greedy', 'greedy', 'greedy', ...others);
    expect(admitted).toEqual(['greedy', 'greedy', ...others]);
  });

  test('that become free go to the tenant that holds the fewest, however long others have waited', async () => {
    create({ ...roomy, permits: 4, tenantPermits: 3 });
    await comeAll('much', 'much', 'little', 'none yet');
    await comeAll('much', 'little', 'new');
    admitted = [];
    const [, , , last] = releases;
    last?.();
    await tick();
    expect(admitted).toEqual(['new']);
    await releaseOne();
    // Both hold one now; the one that has waited longer is next.
    expect(admitted).toEqual(['new', 'little']);
    await releaseOne();
    expect(admitted).toEqual(['new', 'little', 'much']);
  });

  test('go in turn to tenants that hold equally many, however many calls of one wait', async () => {
    create(single);
    await comeAll('a', 'a', 'a', 'a', 'b', 'b', 'c');
    for (let round = 0; round < 6; round += 1) await releaseOne();
    expect(admitted).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  test('go to the calls of one tenant in order', async () => {
    create(single);
    const order: number[] = [];
    let atOnce = 0;
    const work = (number: number) => async (): Promise<void> => {
      expect((atOnce += 1)).toBe(1);
      await tick();
      order.push(number);
      atOnce -= 1;
    };
    await Promise.all([1, 2, 3, 4, 5].map((number) => semaphore.run('a', work(number))));
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  test('are released once, even if release is called twice', async () => {
    create(single);
    await comeAll('a', 'b', 'c');
    const [release] = releases;
    release?.();
    release?.();
    await tick();
    expect(admitted).toEqual(['a', 'b']);
  });

  test('are released by failing work, and passed on', async () => {
    create(single);
    const failing = semaphore.run('a', () => Promise.reject(new Error('broken')));
    const next = semaphore.run('a', async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});

describe('calls that wait', () => {
  test('are limited for each tenant and in total; one more is refused at once, with the limit’s name', async () => {
    create({ ...roomy, permits: 4, waiting: 5, tenantWaiting: 3 });
    await comeAll('a', 'a', 'b', 'b', 'a', 'a', 'a');
    expect(await refusal(come('a'))).toMatchObject({ name: 'NoPermit', ownShare: true, waited: false });
    await comeAll('c', 'c');
    expect(semaphore.waiting).toBe(5);
    expect(await refusal(come('c'))).toMatchObject({ name: 'NoPermit', ownShare: false, waited: false });
    expect(semaphore.waiting).toBe(5);
  });

  test('for too long are refused with the owner of the share, and take no permit afterwards', async () => {
    create({ ...roomy, longestWaitMs: 30 });
    await comeAll('a', 'a', 'b');
    const errors = await Promise.all([refusal(come('a')), refusal(come('c'))]);
    expect(errors).toEqual([expect.any(NoPermit), expect.any(NoPermit)]);
    expect(errors).toMatchObject([
      { ownShare: true, waited: true },
      { ownShare: false, waited: true },
    ]);
    expect(semaphore.waiting).toBe(0);
    await releaseOne();
    await comeAll('d');
    expect(admitted).toEqual(['a', 'a', 'b', 'd']);
  });

  test('may each have their own maximum wait, or none', async () => {
    create(single);
    await comeAll('a');
    const patient = come('a');
    expect(await refusal(come('a', { longestWaitMs: 0 }))).toMatchObject({ ownShare: true, waited: true });
    expect(await refusal(come('b', { longestWaitMs: 10 }))).toMatchObject({ ownShare: false, waited: true });
    await sleep(10);
    await releaseOne();
    await patient;
    await releaseOne();
    // With a free permit there is no wait.
    await come('a', { longestWaitMs: 0 });
  });

  test('leave when they are aborted, make room, and are skipped', async () => {
    create({ ...single, waiting: 1 });
    await comeAll('a');
    const gone = new AbortController();
    const leaving = come('b', { signal: gone.signal });
    expect(semaphore.waiting).toBe(1);
    gone.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(semaphore.waiting).toBe(0);
    await comeAll('c');
    await releaseOne();
    expect(admitted).toEqual(['a', 'c']);
  });

  test('are not started if they were already aborted', async () => {
    create(single);
    let begun = false;
    const work = async (): Promise<void> => void (begun = true);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(semaphore.run('a', work, { signal })).rejects.toThrow('gone');
    expect(begun).toBe(false);
    await come('a', { longestWaitMs: 0 });
  });

  test('leave no gap in the turns of their tenant', async () => {
    create(single);
    await comeAll('a');
    const gone = new AbortController();
    void come('b', { signal: gone.signal });
    await comeAll('c', 'b');
    gone.abort(new Error('gone'));
    for (let round = 0; round < 2; round += 1) await releaseOne();
    expect(admitted).toEqual(['a', 'b', 'c']);
    await releaseOne();
    await come('b', { longestWaitMs: 0 });
  });

  test('are cheap: to admit or abort fifty thousand of them is the work of seconds', async () => {
    const count = 50_000;
    create({ ...roomy, permits: 4, tenantPermits: 4, waiting: count, tenantWaiting: count });
    const work = measureWork();
    await comeAll('first', 'first', 'first', 'first');
    const leaving: AbortController[] = [];
    const calls = Array.from({ length: count }, (_, index) => {
      const gone = new AbortController();
      if (index % 5 === 0) leaving.push(gone);
      return semaphore.run(`tenant ${index % 1_000}`, async () => {}, { signal: gone.signal });
    });
    expect(semaphore.waiting).toBe(count);
    for (const gone of leaving) gone.abort(new Error('gone'));
    for (const release of releases) release();
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(count - leaving.length);
    expect(work()).toBeLessThan(20_000);
  });
});
