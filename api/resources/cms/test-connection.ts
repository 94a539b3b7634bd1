import { PushFailure } from '../../../domain/cms/adapter.ts';
import type { Remote } from '../../../domain/cms/adapter.ts';
import { readTarget } from '../../../domain/cms/target.ts';
import { storeHostKey } from '../../../domain/cms/remote-posts.ts';
import type { Site } from '../../../domain/kernel/site.ts';
import { noPlace } from '../../../domain/kernel/errors.ts';
import { FairSemaphore, NoPermit } from '../../../runtime/fair-semaphore.ts';
import type { Ports } from '../../framework/ports.ts';
import { tenantOf } from '../../../domain/organisations/tenant.ts';

interface Tested {
  readonly ok: boolean;
  readonly message: string;
}

/** Tests at the same time in this process. Each may take a process and its memory. */
const turns = new FairSemaphore({
  permits: 2,
  tenantPermits: 1,
  waiting: 20,
  tenantWaiting: 2,
  longestWaitMs: 5_000,
});
/** Of one test, without the wait for its turn. It ends work without a limit of its own. */
const TIMEOUT_MS = 20_000;
const RETRY_SECONDS = 10;
const TOO_MANY = `Other connections of this organisation are being tested. Try again in ${RETRY_SECONDS} seconds.`;
const LATE =
  'The remote did not answer in time. Look whether it can be reached, and test the connection again.';

/**
 * Calls the remote of a connection with its secret, and changes nothing there.
 *
 * @throws ServiceError NOT_FOUND; RATE_LIMIT_EXCEEDED if too many of the organisation's wait, MAINTENANCE if its turn does not come
 */
export async function testConnection(ports: Ports, site: Pick<Site, 'id'>, id: string): Promise<Tested> {
  const remote = await readTarget(ports.db, ports.box, site.id, id);
  try {
    return await turns.run(tenantOf(site.id), () => testRemote(ports, remote));
  } catch (error) {
    throw error instanceof NoPermit ? noPlace(error, TOO_MANY, RETRY_SECONDS) : error;
  }
}

async function testRemote({ db, remotes }: Ports, remote: Remote): Promise<Tested> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const keepHostKey = async (key: string): Promise<void> => {
    await db.transaction((tx) => storeHostKey(tx, remote, key));
  };
  try {
    return { ok: true, message: await remotes[remote.kind].test(remote, { signal, keepHostKey }) };
  } catch (error) {
    if (error instanceof PushFailure) return { ok: false, message: error.message };
    if (signal.aborted && error === signal.reason) return { ok: false, message: LATE };
    throw error;
  }
}
