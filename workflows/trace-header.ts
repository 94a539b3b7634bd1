import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';

/** The header that Temporal's own OpenTelemetry interceptors use in every language. */
const NAME = '_tracer-data';

/** The `traceparent` of a call, or null. */
export function readTraceHeader(headers: Headers): string | null {
  const payload = headers[NAME];
  if (payload === undefined) return null;
  const carried = defaultPayloadConverter.fromPayload<{ readonly traceparent?: unknown } | null>(payload);
  return typeof carried?.traceparent === 'string' ? carried.traceparent : null;
}

export const withTraceHeader = (headers: Headers, traceparent: string): Headers => ({
  ...headers,
  [NAME]: defaultPayloadConverter.toPayload({ traceparent }),
});
