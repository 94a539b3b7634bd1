import type { Context } from 'koa';
import { underMaintenance } from '../domain/errors.ts';
import { findMaintenance } from '../domain/sites.ts';
import { readBody } from './body.ts';
import type { KeylessOperation } from './operation.ts';
import { originFor } from './origin.ts';
import type { Ports } from './ports.ts';
import { parseQuery } from './query-string.ts';
import { countClient } from './rate-limit.ts';
import { parseBody } from './validate-body.ts';
import { verifyReply } from './verify-answer.ts';

/**
 * Takes a request to an operation without a key through its checks, in the order of all operations: rate limit
 * of the client's address, maintenance of the platform, query, body (decisions 1). Then has it carried out, in
 * one transaction.
 */
export async function dispatchKeyless(
  ports: Ports,
  ctx: Context,
  operation: KeylessOperation,
): Promise<void> {
  const now = ports.clock.now();
  ctx.state.operation = operation;
  // The answers carry codes that stand for a key.
  ctx.set('Cache-Control', 'no-store');
  await countClient(ports, ctx, 'auth', now);
  const maintenance = await findMaintenance(ports.db, null);
  if (maintenance !== null) throw underMaintenance(maintenance);
  parseQuery(ctx.querystring, undefined);
  const body = parseBody(operation, await readBody(ctx.req), ports);
  const origin = originFor(ports, ctx);
  const clientAddress = ports.clientAddress(ctx.req);
  const reply = await ports.db.transaction((tx) =>
    operation.handle({ tx, ports, body, now, origin, clientAddress }),
  );
  if (ports.verifyAnswers) verifyReply(operation, reply);
  ctx.status = reply.status;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({ data: reply.data });
}
