import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { inSpan, inTraceOf, recordPast, traceparent } from '../observability/tracing/trace.ts';
import { readTraceHeader, withTraceHeader } from '../workflows/trace-header.ts';
import type { TracingSinks } from '../workflows/tracing.ts';

/** The span attributes that identify a workflow or activity. */
interface Execution {
  readonly workflowId: string;
  readonly runId: string;
}

const idsOf = ({ workflowId, runId }: Execution) => ({ workflow_id: workflowId, workflow_run_id: runId });

/**
 * Passes the current trace to the workflow being started or signalled. Span names are those of Temporal's own
 * interceptors.
 */
export const traceCalls: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    call(`StartWorkflow:${input.workflowType}`, input.options.workflowId, input, next),
  signalWithStart: (input, next) =>
    call(`SignalWithStartWorkflow:${input.workflowType}`, input.options.workflowId, input, next),
  signal: (input, next) =>
    call(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId, input, next),
};

function call<Input extends { readonly headers: Parameters<typeof withTraceHeader>[0] }, Output>(
  name: string,
  workflowId: string,
  input: Input,
  next: (input: Input) => Promise<Output>,
): Promise<Output> {
  return inSpan({ name, kind: 'client', attributes: { workflow_id: workflowId } }, () => {
    const here = traceparent();
    return next(here === null ? input : { ...input, headers: withTraceHeader(input.headers, here) });
  });
}

/** Continues the trace of an activity's workflow. */
export const traceActivities: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const { activityType, attempt, workflowExecution } = info;
      const ids = workflowExecution === undefined ? {} : idsOf(workflowExecution);
      const span = { name: `RunActivity:${activityType}`, attributes: { ...ids, attempt } };
      return inTraceOf(readTraceHeader(input.headers), span, () => next(input));
    },
  },
});

/** Records the spans of workflows whose start was traced, whether or not this worker started them. */
export const workflowSpans: InjectedSinks<TracingSinks> = {
  tracing: {
    record: { fn: (info, span) => recordPast({ ...span, attributes: idsOf(info) }) },
  },
};
