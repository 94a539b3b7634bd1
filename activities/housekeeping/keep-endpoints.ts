import { countEndpoints, readEndpointIds } from '../../domain/webhooks/endpoint.ts';
import type { Ports } from '../ports.ts';

const PAGE = 1_000;
/** Calls to Temporal in flight. */
const AT_ONCE = 8;
/** Below the activity's time-out. The next run does the rest. */
const BUDGET_MS = 60_000;

/** Keeps one workflow open for each webhook endpoint, so that support can signal it. */
export const createKeepEndpointsActivities = ({
  db,
  log,
  endpointWorkflows,
}: Pick<Ports, 'db' | 'log' | 'endpointWorkflows'>) => ({
  /**
   * Starts the workflows of endpoints that have none, after Temporal has lost them. Wakes those of endpoints that no
   * longer exist, which ends them. If their number is right, that is all it looks at.
   *
   * @param thorough whether to look at each endpoint even then
   * @returns how many it started or woke
   */
  async keepEndpoints(thorough: boolean): Promise<number> {
    const [open, endpoints] = await Promise.all([endpointWorkflows.count(), countEndpoints(db)]);
    if (open === endpoints && !thorough) return 0;
    const end = performance.now() + BUDGET_MS;
    /** Workflows whose endpoints have not been found yet. */
    const unclaimed = new Set<string>();
    for await (const id of endpointWorkflows.endpointIds()) unclaimed.add(id);
    let started = 0;
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof readEndpointIds>> = await readEndpointIds(db, after, PAGE);
      const missing = page.filter(({ id }) => !unclaimed.delete(id));
      started += await each(missing, end, ({ id, site_id: siteId }) => endpointWorkflows.start(id, siteId));
      after = page.length < PAGE ? null : (page.at(-1)?.id ?? null);
    } while (after !== null && performance.now() < end);
    const complete = after === null;
    const woken = complete ? await each([...unclaimed], end, (id) => endpointWorkflows.wake(id)) : 0;
    if (started + woken > 0)
      log.info({ started, ended: woken }, 'workflows of webhook endpoints were missing or left over');
    return started + woken;
  },
});

/** Does some work for each item until a time. @returns for how many */
async function each<Item>(
  items: readonly Item[],
  end: number,
  work: (item: Item) => Promise<void>,
): Promise<number> {
  let done = 0;
  while (done < items.length && performance.now() < end) {
    const some = items.slice(done, done + AT_ONCE);
    await Promise.all(some.map(work));
    done += some.length;
  }
  return done;
}

export type KeepEndpointsActivities = ReturnType<typeof createKeepEndpointsActivities>;
