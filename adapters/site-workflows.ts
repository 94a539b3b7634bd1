import type { Client } from '@temporalio/client';
import { createSlots } from '../packages/base/slots.ts';

/** The workflows of a Site in Temporal, found by the search attribute `SiteId`. */
export interface SiteWorkflows {
  readonly terminateRunning: (siteId: string) => Promise<Handled>;
  readonly deleteClosed: (siteId: string) => Promise<Handled>;
}

/** How many workflows Temporal listed, 0 if none is left; and how many of them were still there. */
export interface Handled {
  readonly listed: number;
  readonly done: number;
}

/** Workflows of one call, and how many of them at once. */
const AT_MOST = 500;
const AT_ONCE = 16;
const CALL_TIMEOUT_MS = 10_000;
const REASON = 'the Site is being deleted';
/** gRPC's NOT_FOUND: it has ended, or was deleted, since it was listed. */
const NOT_FOUND = 5;

/**
 * @param client of the connection that is used now
 * @param namespace of the workflows
 */
export function createSiteWorkflows(client: () => Client, namespace: string): SiteWorkflows {
  interface Found {
    readonly workflowId: string;
    readonly runId: string;
  }

  /** The deletion itself is left out. Its id is that of the Site, which the caller has checked. */
  async function list(siteId: string, status: 'Running' | 'closed'): Promise<readonly Found[]> {
    const wanted = status === 'Running' ? `= 'Running'` : `!= 'Running'`;
    const query = `SiteId = '${siteId}' AND ExecutionStatus ${wanted} AND WorkflowType != 'siteDeletion'`;
    return client().withDeadline(Date.now() + CALL_TIMEOUT_MS, async () => {
      const found: Found[] = [];
      for await (const { workflowId, runId } of client().workflow.list({ query, pageSize: AT_MOST })) {
        found.push({ workflowId, runId });
        if (found.length === AT_MOST) break;
      }
      return found;
    });
  }

  async function each(found: readonly Found[], work: (one: Found) => Promise<unknown>): Promise<Handled> {
    const inSlot = createSlots(AT_ONCE);
    let done = 0;
    await Promise.all(
      found.map((one) =>
        inSlot(async () => {
          try {
            await client().withDeadline(Date.now() + CALL_TIMEOUT_MS, () => work(one));
            done += 1;
          } catch (error) {
            if (codeOf(error) !== NOT_FOUND) throw error;
          }
        }),
      ),
    );
    return { listed: found.length, done };
  }

  return {
    terminateRunning: async (siteId) =>
      each(await list(siteId, 'Running'), (workflowExecution) =>
        client().workflowService.terminateWorkflowExecution({ namespace, workflowExecution, reason: REASON }),
      ),
    deleteClosed: async (siteId) =>
      each(await list(siteId, 'closed'), (workflowExecution) =>
        client().workflowService.deleteWorkflowExecution({ namespace, workflowExecution }),
      ),
  };
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
