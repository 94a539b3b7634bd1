import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Attributes, Context, Span } from '@opentelemetry/api';

/**
 * Spans, as the rest of the product makes them. Nothing is traced but what a request has caused: where no trace is
 * under way, or nobody collects traces, work runs as if this were not here (docs/decisions/0027).
 */

const tracer = trace.getTracer('presswork');
let collected = false;

/** Whether spans go anywhere. */
export const isCollected = (): boolean => collected;

/** Called once at the start, where somebody collects traces. */
export function beginCollecting(): void {
  collected = true;
}

/** What is done, in the terms of OpenTelemetry: `client` asks another server, `consumer` takes up what was left. */
export type Kind = 'internal' | 'server' | 'client' | 'consumer';

const spanKinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<Kind, SpanKind>;

export interface SpanDescription {
  /** Of few: no ids. */
  readonly name: string;
  readonly kind?: Kind;
  /** Ids, numbers and names of ours; nothing that a client or a person wrote. */
  readonly attributes?: Attributes;
}

/** Runs work as a part of the trace under way. Work begins before this returns. */
export function inSpan<T>(description: SpanDescription, work: (span: Span | null) => Promise<T>): Promise<T> {
  if (!collected || trace.getActiveSpan()?.isRecording() !== true) return work(null);
  return record(description, context.active(), work);
}

/**
 * Runs work as a part of the trace that left it to be done.
 *
 * @param left what `traceparent()` gave there, or null
 */
export function inTraceOf<T>(
  left: string | null | undefined,
  description: SpanDescription,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const parent = collected && left ? contextOf(left) : null;
  return parent === null ? work(null) : record(description, parent, work);
}

/**
 * Runs work as the answer to a request: a part of the client's trace, or the beginning of one.
 *
 * @param sent the request's header `traceparent`
 */
export function inRequest<T>(
  sent: string | undefined,
  name: string,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent: sent });
  return record({ name, kind: 'server' }, parent, work);
}

/** What was over before it could be recorded, such as the run of a workflow. */
export interface PastSpan extends SpanDescription {
  /** What `traceparent()` gave where it was caused. */
  readonly parent: string;
  /** 16 hexadecimal digits, where its parts already name it; else it gets one. */
  readonly spanId?: string;
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly hasFailed?: boolean;
}

export function recordPast({ name, kind = 'internal', attributes = {}, ...past }: PastSpan): void {
  const parent = collected ? contextOf(past.parent) : null;
  if (parent === null) return;
  givenSpanId = past.spanId;
  const options = { kind: spanKinds[kind], attributes, startTime: past.startedAt };
  const span = tracer.startSpan(name, options, parent);
  givenSpanId = undefined;
  if (past.hasFailed === true) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(past.endedAt);
}

/** The id of the span that is being started, where it has one already. */
let givenSpanId: string | undefined;
export const spanIdToUse = (): string | undefined => givenSpanId;

/** Runs work as a part of no trace: for what several requests share. */
export function outsideTraces<T>(work: () => T): T {
  return collected ? context.with(ROOT_CONTEXT, work) : work();
}

/** The place in the trace under way, as W3C's `traceparent`, to be gone on from elsewhere; null without one. */
export function traceparent(): string | null {
  if (!collected) return null;
  const active = trace.getActiveSpan()?.spanContext();
  if (active === undefined || !isSampled(active.traceFlags)) return null;
  return `00-${active.traceId}-${active.spanId}-01`;
}

/** Under which names the log says which trace a line belongs to. */
export function traceIds(): Readonly<Record<string, string>> {
  const active = collected ? trace.getActiveSpan()?.spanContext() : undefined;
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

/** @returns null where it is none, or is not to be recorded */
export function parseTraceparent(
  left: string,
): { traceId: string; spanId: string; traceFlags: number } | null {
  const [, traceId = '', spanId = '', flags = '0'] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(left) ?? [];
  const parsed = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
  return isSampled(parsed.traceFlags) && isSpanContextValid(parsed) ? parsed : null;
}

const isSampled = (flags: number): boolean => (flags & 1) === 1;

function contextOf(left: string): Context | null {
  const parent = parseTraceparent(left);
  return parent === null ? null : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

async function record<T>(
  { name, kind = 'internal', attributes = {} }: SpanDescription,
  parent: Context,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind: spanKinds[kind], attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Says of which kind an error was, and not what it said: messages quote what clients wrote. */
export function failed(span: Span, error: unknown): void {
  const { name, code } = error as { name?: string; code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? typeof error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
