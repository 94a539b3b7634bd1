import { readFileSync } from 'node:fs';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { createPageVisitor } from '../../adapters/pages/visitor.ts';
import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Turns } from '../../adapters/pages/visit.ts';
import { parseAllowedHosts } from '../../runtime/allowed-hosts.ts';

/** Nobody waits. */
export const freeTurns: Turns = { take: async () => 0, begin: async () => 0 };

/**
 * A visitor of sites on this machine, which does not wait for turns unless it is given some.
 *
 * @param hosts `host:port` of sites that may be visited
 * @param ca the file of the authority that they trust
 */
export function visitorOf(
  hosts: readonly string[],
  ca: string,
  take: Turns['take'] = freeTurns.take,
): PageVisitor & { end(): Promise<void> } {
  const http = createGuardedClient({
    allowedHosts: parseAllowedHosts(hosts.join(',')),
    targets: { plainHttp: true },
    names: new Names(),
    ca: readFileSync(ca),
  });
  const processes = createJobProcesses();
  const visitor = createPageVisitor({ http, turns: { ...freeTurns, take } }, processes);
  return {
    ...visitor,
    async end() {
      processes.close();
      await http.close();
    },
  };
}
