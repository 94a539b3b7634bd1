import type { Context } from 'koa';
import { underMaintenance } from '../../domain/kernel/errors.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import { findMaintenance } from '../../domain/organisations/sites.ts';
import { readBody } from '../http/body.ts';
import { SMALL } from '../http/byte-budget.ts';
import { requireClient } from '../http/client-gone.ts';
import { requestIdOf } from './envelope.ts';
import type { KeylessOperation } from './operation.ts';
import type { Ports } from './ports.ts';
import { parseQuery } from '../http/query-string.ts';
import { countClient } from './rate-limit.ts';
import { parseBody } from './validate-body.ts';
import { verifyReply } from './verify-answer.ts';

/**
 * Runs the checks of an operation without a key, in the order of all operations: rate limit of the client's address,
 * maintenance of the platform, query, body (docs/spec/rulings.md, 1). Then executes it in one transaction.
 */
export async function dispatchKeyless(
  ports: Ports,
  ctx: Context,
  operation: KeylessOperation,
): Promise<void> {
  ctx.state.operation = operation;
  // The answers contain codes that can be exchanged for a key.
  ctx.set('Cache-Control', 'no-store');
  await countClient(ports, ctx, 'auth', ports.clock.now());
  const maintenance = await findMaintenance(ports.db, null);
  if (maintenance !== null) throw underMaintenance(maintenance);
  parseQuery(ctx.querystring, undefined);
  const clientAddress = ports.clientAddress(ctx.req);
  const body = parseBody(operation, await readBody(ctx.req, shareOf(ctx, clientAddress)), ports);
  // Taken now, because the body may have taken a long time to arrive.
  const now = ports.clock.now();
  const reply = await ports.db.transaction(
    (tx) => operation.handle({ tx, ports, body, now, clientAddress, requestId: requestIdOf(ctx) }),
    { mayBegin: () => requireClient(ctx) },
  );
  if (ports.verifyAnswers) verifyReply(operation, reply);
  ctx.status = reply.status;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({ data: reply.data });
}

/** No legitimate body is large here, so all large ones together get the share of a single client. */
const shareOf = ({ req }: Context, address: string): string =>
  Number(req.headers['content-length'] ?? Infinity) > SMALL
    ? 'large bodies without a key'
    : clientNetwork(address);
