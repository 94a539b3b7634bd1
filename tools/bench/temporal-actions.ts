import type { Client } from '@temporalio/client';

/** The cost of workflows in Temporal. */
export interface ActionCount {
  readonly workflows: number;
  /** As Temporal Cloud counts them: starts, signals, timers, activities, markers of local activities, search attributes. */
  readonly actions: number;
  readonly events: number;
  /** Bytes of the histories. */
  readonly bytes: number;
}

const ACTIONS: ReadonlySet<string> = new Set([
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'timerStartedEventAttributes',
  'activityTaskScheduledEventAttributes',
  'markerRecordedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'workflowPropertiesModifiedEventAttributes',
]);

/** Counts the actions and bytes in the histories of a namespace. */
export class ActionCounter {
  readonly #client: Client;
  readonly #closed = new Map<string, ActionCount>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** @param types of the workflows that count; by default all but upkeep */
  async count(query = "WorkflowType != 'upkeep'"): Promise<ActionCount> {
    let sum: ActionCount = { workflows: 0, actions: 0, events: 0, bytes: 0 };
    for await (const { workflowId, runId, status } of this.#client.workflow.list({ query })) {
      const known = this.#closed.get(runId) ?? (await this.#countOne(workflowId, runId));
      if (status.name !== 'RUNNING') this.#closed.set(runId, known);
      sum = add(sum, known);
    }
    return sum;
  }

  async #countOne(workflowId: string, runId: string): Promise<ActionCount> {
    const handle = this.#client.workflow.getHandle(workflowId, runId);
    const { events } = await handle.fetchHistory();
    const { historySize } = await handle.describe();
    const found = (events ?? []).filter((event) => Object.keys(event).some((name) => ACTIONS.has(name)));
    return { workflows: 1, actions: found.length, events: events?.length ?? 0, bytes: historySize ?? 0 };
  }
}

const add = (left: ActionCount, right: ActionCount): ActionCount => ({
  workflows: left.workflows + right.workflows,
  actions: left.actions + right.actions,
  events: left.events + right.events,
  bytes: left.bytes + right.bytes,
});
