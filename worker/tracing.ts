import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { inSpan, inTraceOf, recordPast, traceparent } from '../tracing/trace.ts';
import { readTraceHeader, withTraceHeader } from '../workflows/trace-header.ts';
import type { TracingSinks } from '../workflows/tracing.ts';

/** Under which names spans of workflows and activities say whose they are. */
interface Execution {
  readonly workflowId: string;
  readonly runId: string;
}

const idsOf = ({ workflowId, runId }: Execution) => ({ workflow_id: workflowId, workflow_run_id: runId });

/** Hands the trace under way to the workflow that is started or signalled. Names are those of Temporal's own interceptors. */
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

/** Takes up the trace of the workflow that an activity is run for. */
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

/** Where workflows leave what they have done. They do so where their start was traced, whoever runs them now. */
export const workflowSpans: InjectedSinks<TracingSinks> = {
  tracing: {
    record: { fn: (info, span) => recordPast({ ...span, attributes: idsOf(info) }) },
  },
};
