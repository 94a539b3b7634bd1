/** How much a worker process does at once. */
export interface WorkerSizes {
  /** Connections for relay, delivery and publishing, and for housekeeping. */
  readonly connections: number;
  readonly patientConnections: number;
  /** Workflows kept in memory, which are as many as may run at once, by task queue. */
  readonly workflows: number;
  readonly webhookWorkflows: number;
  readonly activities: number;
  /** Attempts to deliver a webhook, in flight. */
  readonly attempts: number;
  /** Whether there would be more workflows if the heap were larger. */
  readonly limitedByHeap: boolean;
}

const PATIENT_PART = 0.25;
const WORKFLOWS_PER_CONNECTION = 7.5;
const WEBHOOK_PART = 0.6;
const ACTIVITIES_PER_CONNECTION = 6;
const ATTEMPTS_PER_CONNECTION = 64;
const FEWEST_WORKFLOWS = 20;
/** The heap of the process itself, and Temporal's measure of what a cached workflow needs of the rest. */
const OWN_MIB = 200;
const WORKFLOWS_PER_MIB = 600 / 1_024;

/**
 * Derives everything from DATABASE_POOL_SIZE, because whatever a worker does ends in the database. Cached workflows
 * also have to fit the heap. A worker runs at most as many workflow tasks as it may cache, so both are the same number.
 *
 * @param poolSize connections; a worker takes two at least
 * @param heapBytes V8's limit
 */
export function sizesOf(poolSize: number, heapBytes: number): WorkerSizes {
  const patientConnections = Math.max(1, Math.floor(poolSize * PATIENT_PART));
  const fitting = Math.floor((heapBytes / 2 ** 20 - OWN_MIB) * WORKFLOWS_PER_MIB);
  const wanted = Math.round(poolSize * WORKFLOWS_PER_CONNECTION);
  const total = Math.max(FEWEST_WORKFLOWS, Math.min(wanted, fitting));
  const webhookWorkflows = Math.floor(total * WEBHOOK_PART);
  return {
    connections: Math.max(1, poolSize - patientConnections),
    patientConnections,
    workflows: total - webhookWorkflows,
    webhookWorkflows,
    activities: poolSize * ACTIVITIES_PER_CONNECTION,
    attempts: poolSize * ATTEMPTS_PER_CONNECTION,
    limitedByHeap: wanted > total,
  };
}
