import { proxySinks, workflowInfo } from '@temporalio/workflow';
import type { Headers, Sinks, WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { readTraceHeader, withTraceHeader } from './trace-header.ts';

/** A finished step, for the trace collector. */
export interface WorkflowSpan {
  readonly name: string;
  /** The caller's `traceparent`. */
  readonly parent: string;
  readonly spanId?: string;
  /** In ms since 1970, in the workflow's time. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly hasFailed: boolean;
}

export interface TracingSinks extends Sinks {
  readonly tracing: { record(span: WorkflowSpan): void };
}

const { tracing } = proxySinks<TracingSinks>();

/**
 * Propagates the trace of a workflow's starter to its activities, and records the run when it ends. Only the history
 * decides: it does so if the start was traced, so a history replays the same with or without a collector. It adds no
 * step that the workflow waits for (docs/decisions/0027).
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let parent: string | null = null;

  const carrying = <Input extends { readonly headers: Headers }>(input: Input): Input =>
    parent === null ? input : { ...input, headers: withTraceHeader(input.headers, spanOf(parent)) };

  return {
    inbound: [
      {
        execute(input, next) {
          parent = readTraceHeader(input.headers);
          return parent === null ? next(input) : recorded(parent, () => next(input));
        },
        handleSignal(input, next) {
          const asker = readTraceHeader(input.headers);
          const now = Date.now();
          if (asker !== null) {
            const times = { startedAt: now, endedAt: now, hasFailed: false };
            tracing.record({ name: `HandleSignal:${input.signalName}`, parent: asker, ...times });
          }
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(carrying(input)),
        scheduleLocalActivity: (input, next) => next(carrying(input)),
        // The next run is a sibling of this one, not a child: there may be many.
        continueAsNew: (input, next) =>
          next(parent === null ? input : { ...input, headers: withTraceHeader(input.headers, parent) }),
      },
    ],
  };
};

async function recorded<T>(parent: string, work: () => Promise<T>): Promise<T> {
  const { workflowType } = workflowInfo();
  const startedAt = Date.now();
  const record = (hasFailed: boolean): void =>
    tracing.record({
      name: `RunWorkflow:${workflowType}`,
      parent,
      spanId: spanId(),
      startedAt,
      endedAt: Date.now(),
      hasFailed,
    });
  try {
    const result = await work();
    record(false);
    return result;
  } catch (error) {
    record((error as Error).name !== 'ContinueAsNew');
    throw error;
  }
}

/** The run's span. Derived from the run id: children name it before it is recorded, and a replay must get the same. */
const spanId = (): string => workflowInfo().runId.replaceAll('-', '').slice(-16);

const spanOf = (parent: string): string => {
  const [version, traceId, , flags] = parent.split('-');
  return [version, traceId, spanId(), flags].join('-');
};
