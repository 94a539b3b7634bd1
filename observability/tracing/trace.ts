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
 * Spans for the rest of the product. Only work caused by a request is traced: without a current trace or a collector,
 * work runs as if this file did not exist (docs/decisions/0027).
 */

const tracer = trace.getTracer('presswork');
let collected = false;

/** Whether a collector is configured. */
export const isCollected = (): boolean => collected;

/** Called when a collector starts, and when it closes. */
export function setCollected(now: boolean): void {
  collected = now;
}

/** OpenTelemetry's span kinds: `client` calls another server, `consumer` processes a stored message. */
export type Kind = 'internal' | 'server' | 'client' | 'consumer';

const spanKinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<Kind, SpanKind>;

export interface SpanDescription {
  /** Low cardinality: no ids. */
  readonly name: string;
  readonly kind?: Kind;
  /** Our own ids, numbers and names; nothing written by clients or people. */
  readonly attributes?: Attributes;
}

/** Runs work as a span of the current trace. Work starts before this returns. */
export function inSpan<T>(description: SpanDescription, work: (span: Span | null) => Promise<T>): Promise<T> {
  if (!collected || trace.getActiveSpan()?.isRecording() !== true) return work(null);
  return record(description, context.active(), work);
}

/**
 * Runs work as a span of the trace that stored it for later.
 *
 * @param left the result of `traceparent()` at that time, or null
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
 * Runs work that answers a request, as a span of the client's trace or the root of a new one.
 *
 * @param sent the request's `traceparent` header
 */
export function inRequest<T>(
  sent: string | undefined,
  name: string,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent: sent });
  return record({ name, kind: 'server' }, parent, work);
}

/** A span that is recorded after it ended, such as the run of a workflow. */
export interface PastSpan extends SpanDescription {
  /** The result of `traceparent()` at its origin. */
  readonly parent: string;
  /** 16 hexadecimal digits if its children already refer to it; otherwise generated. */
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

/** The predefined id of the span being started, if any. */
let givenSpanId: string | undefined;
export const spanIdToUse = (): string | undefined => givenSpanId;

/** Runs work outside any trace, for work that several requests share. */
export function outsideTraces<T>(work: () => T): T {
  return collected ? context.with(ROOT_CONTEXT, work) : work();
}

/** The current W3C `traceparent`, to continue the trace elsewhere; null if there is none. */
export function traceparent(): string | null {
  if (!collected) return null;
  const active = trace.getActiveSpan()?.spanContext();
  if (active === undefined || !isSampled(active.traceFlags)) return null;
  return `00-${active.traceId}-${active.spanId}-01`;
}

/** The log members that identify the current trace. */
export function traceIds(): Readonly<Record<string, string>> {
  const active = collected ? trace.getActiveSpan()?.spanContext() : undefined;
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

/** @returns null if it is invalid or not sampled */
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

/** Records the type of an error without its message, which may quote clients. */
export function failed(span: Span, error: unknown): void {
  const { name, code } = error as { name?: string; code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? typeof error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
