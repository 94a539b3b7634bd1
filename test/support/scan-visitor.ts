import { readFileSync } from 'node:fs';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { createPageVisitor } from '../../adapters/pages/visitor.ts';
import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { VisitPorts } from '../../adapters/pages/visit.ts';
import { parseAllowedHosts } from '../../runtime/allowed-hosts.ts';

/**
 * A visitor of sites on this machine, which does not wait for turns unless it is given some.
 *
 * @param hosts `host:port` of sites that may be visited
 * @param ca the file of the authority that they trust
 */
export function visitorOf(
  hosts: readonly string[],
  ca: string,
  takeTurn: VisitPorts['takeTurn'] = async () => 0,
): PageVisitor & { end(): Promise<void> } {
  const http = createGuardedClient({
    allowedHosts: parseAllowedHosts(hosts.join(',')),
    targets: { plainHttp: true },
    names: new Names(),
    ca: readFileSync(ca),
  });
  const visitor = createPageVisitor({ http, takeTurn });
  return {
    ...visitor,
    async end() {
      visitor.close();
      await http.close();
    },
  };
}
