import { statement } from '../../db/sql.ts';
import { createBatcher } from '../../db/batcher.ts';
import { startCollector } from '../../tracing/collector.ts';
import { inRequest, inSpan, inTraceOf, parseTraceparent, traceparent } from '../../tracing/trace.ts';
import { readSettings } from '../../config/settings.ts';
import { checkBucket, createBucket } from '../../storage/bucket.ts';
import { environment } from '../support/environment.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { startTraceCollector } from '../support/trace-collector.ts';
import type { CollectedSpan, TraceCollector } from '../support/trace-collector.ts';
import { eventually } from '../support/eventually.ts';

const LEFT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const here = async (): Promise<string | null> => traceparent();

let collector: TraceCollector;
let database: TestDatabase;

beforeAll(async () => {
  [collector, database] = await Promise.all([startTraceCollector(), createTestDatabase()]);
});
afterAll(async () => {
  await database.drop();
  await collector.close();
});

test.each([
  ['', null],
  ['nonsense', null],
  [LEFT.replace(/01$/, '00'), null],
  [LEFT.replace('b'.repeat(16), '0'.repeat(16)), null],
  [LEFT.replace('a'.repeat(32), '0'.repeat(32)), null],
  [LEFT.toUpperCase(), null],
  [`${LEFT}-more`, null],
  [LEFT, { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }],
])('of %j a trace is gone on with, or none', (left, expected) => {
  expect(parseTraceparent(left)).toEqual(expected);
});

test('where nobody collects traces, work runs without one', async () => {
  expect(await inSpan({ name: 'a' }, here)).toBeNull();
  expect(await inTraceOf(LEFT, { name: 'a' }, here)).toBeNull();
});

describe('where traces are collected', () => {
  let close: () => Promise<void>;
  const failures: Error[] = [];

  beforeAll(() => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '50';
    close = startCollector('a-test', (error) => failures.push(error)).close;
  });
  afterAll(async () => {
    await close();
    expect(failures).toEqual([]);
  });

  const collected = async (name: string): Promise<CollectedSpan> => {
    const find = () => collector.spans.find((span) => span.name === name);
    await eventually(`${name} is collected`, () => find() !== undefined);
    return find() as CollectedSpan;
  };

  test('work that no request caused has no span, nor what is in it', async () => {
    expect(await inSpan({ name: 'of nobody' }, here)).toBeNull();
    expect(await inTraceOf(null, { name: 'of nobody' }, here)).toBeNull();
    expect(await database.db.transaction(async () => traceparent())).toBeNull();
    await inRequest(undefined, 'a later request', here);
    await collected('a later request');
    expect(collector.spans.map(({ name }) => name)).not.toContain('of nobody');
    expect(collector.spans.map(({ name }) => name)).not.toContain('transaction');
  });

  test('what was left is gone on with in its trace', async () => {
    const inside = await inTraceOf(LEFT, { name: 'taken up', kind: 'consumer' }, here);
    const span = await collected('taken up');
    expect(span).toMatchObject({
      traceId: 'a'.repeat(32),
      parentSpanId: 'b'.repeat(16),
      kind: 5,
      service: 'a-test',
    });
    expect(inside).toBe(`00-${span.traceId}-${span.spanId}-01`);
  });

  test('of an error its code or type is kept, and nothing of what it says', async () => {
    const failing = (name: string, error: unknown) =>
      expect(inTraceOf(LEFT, { name }, () => Promise.reject(error))).rejects.toBe(error);
    await failing('of a type', new RangeError('jane@example.com'));
    await failing('of a code', Object.assign(new Error('jane@example.com'), { code: '23505' }));
    await failing('of none', 'jane@example.com');
    const [type, code, none] = [
      await collected('of a type'),
      await collected('of a code'),
      await collected('of none'),
    ];
    expect([type, code, none].map(({ attributes }) => attributes['error.type'])).toEqual([
      'RangeError',
      '23505',
      'string',
    ]);
    for (const span of [type, code, none]) {
      expect(span.hasFailed).toBe(true);
      expect(span.text).not.toContain('jane');
    }
  });

  test('a statement is named by its verb and table, and its failure by the code', async () => {
    const { db } = database;
    const run = inRequest(undefined, 'a failing request', () =>
      db.transaction(async (tx) => {
        await tx.exec(
          statement`with sites as (select 1) select from organisations join sites on true for update`,
        );
        await tx.exec(statement`insert into organisations (id) values (${'jane@example.com'}::uuid)`);
      }),
    );
    await expect(run).rejects.toMatchObject({ code: expect.any(String) });
    const request = await collected('a failing request');
    const failed = collector.spans.filter((span) => span.traceId === request.traceId && span.hasFailed);
    expect(failed.map(({ name }) => name)).toEqual([
      'insert organisations',
      'transaction',
      'a failing request',
    ]);
    expect(failed.map(({ text }) => text).join()).not.toContain('jane');
    expect(await collected('select organisations')).toMatchObject({ traceId: request.traceId, kind: 3 });
  });

  test('what is asked of storage is named by the operation', async () => {
    const settings = readSettings({
      S3_ENDPOINT: environment('S3_ENDPOINT'),
      S3_BUCKET: environment('S3_BUCKET'),
      S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
    });
    const bucket = createBucket(settings);
    await inRequest(undefined, 'a request', () => checkBucket(bucket));
    expect(await collected('S3 HeadBucket')).toMatchObject({ kind: 3, hasFailed: false });
    bucket.client.destroy();
  });

  test('what several requests share belongs to none of them', async () => {
    const ask = createBatcher(async (asked: readonly number[]) => asked.map(() => traceparent()));
    const answers = [1, 2, 3].map((number) => inRequest(undefined, 'one of several', () => ask(number)));
    expect(await Promise.all(answers)).toEqual([null, null, null]);
  });
});
