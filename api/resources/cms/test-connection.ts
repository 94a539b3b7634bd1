import { PushFailure } from '../../../domain/cms/adapter.ts';
import type { Remote } from '../../../domain/cms/adapter.ts';
import { readTarget } from '../../../domain/cms/target.ts';
import { storeHostKey } from '../../../domain/cms/remote-posts.ts';
import type { Site } from '../../../domain/kernel/site.ts';
import type { Ports } from '../../framework/ports.ts';
import { testTurns } from '../../framework/test-turns.ts';

interface Tested {
  readonly ok: boolean;
  readonly message: string;
}

/** Each may take a process and its memory. */
const inTurn = testTurns('connections', 2);
/** Of one test, without the wait for its turn. It ends work without a limit of its own. */
const TIMEOUT_MS = 20_000;
const LATE =
  'The remote did not answer in time. Look whether it can be reached, and test the connection again.';

/**
 * Calls the remote of a connection with its secret, and changes nothing there.
 *
 * @throws ServiceError NOT_FOUND; RATE_LIMIT_EXCEEDED if too many of the organisation's wait, MAINTENANCE if its turn does not come
 */
export async function testConnection(ports: Ports, site: Pick<Site, 'id'>, id: string): Promise<Tested> {
  const remote = await readTarget(ports.db, ports.box, site.id, id);
  return inTurn(site.id, () => testRemote(ports, remote));
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
