import { statement } from '../../../db/sql.ts';
import { createBatcher } from '../../../db/throughput/batcher.ts';
import { startCollector } from '../../../observability/tracing/collector.ts';
import {
  inRequest,
  inSpan,
  inTraceOf,
  parseTraceparent,
  traceparent,
} from '../../../observability/tracing/trace.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { checkBucket, createBucket } from '../../../adapters/storage/bucket.ts';
import { environment } from '../../support/environment.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { startTraceCollector } from '../../support/trace-collector.ts';
import type { CollectedSpan, TraceCollector } from '../../support/trace-collector.ts';
import { eventually } from '../../support/eventually.ts';

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

test('without a collector, work runs without a trace', async () => {
  expect(await inSpan({ name: 'a' }, here)).toBeNull();
  expect(await inTraceOf(LEFT, { name: 'a' }, here)).toBeNull();
});

describe('with a collector', () => {
  let close: () => Promise<void>;
  const failures: Error[] = [];

  beforeAll(() => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '50';
    close = startCollector('a-test', (error) => failures.push(error)).close;
  });
  afterAll(async () => {
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
    await close();
    expect(failures).toEqual([]);
  });

  const collected = async (name: string): Promise<CollectedSpan> => {
    const find = () => collector.spans.find((span) => span.name === name);
    await eventually(`${name} is collected`, () => find() !== undefined);
    return find() as CollectedSpan;
  };

  test('work without a trace has no span, nor do its parts', async () => {
    expect(await inSpan({ name: 'of nobody' }, here)).toBeNull();
    expect(await inTraceOf(null, { name: 'of nobody' }, here)).toBeNull();
    expect(await database.db.transaction(async () => traceparent())).toBeNull();
    await inRequest(undefined, 'a later request', here);
    await collected('a later request');
    expect(collector.spans.map(({ name }) => name)).not.toContain('of nobody');
    expect(collector.spans.map(({ name }) => name)).not.toContain('transaction');
  });

  test('deferred work continues its trace', async () => {
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

  test('an error is recorded by code or type, without its message', async () => {
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

  test('a storage request is named by its operation', async () => {
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

  test('work shared by several requests belongs to none of their traces', async () => {
    const ask = createBatcher(async (asked: readonly number[]) => asked.map(() => traceparent()));
    const answers = [1, 2, 3].map((number) => inRequest(undefined, 'one of several', () => ask(number)));
    expect(await Promise.all(answers)).toEqual([null, null, null]);
  });
});
