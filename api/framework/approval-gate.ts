import { askApproval } from '../../domain/approvals/ask.ts';
import { presentAsked } from '../../domain/approvals/present.ts';
import { gatesOf } from '../../domain/approvals/requirement.ts';
import { useApproval } from '../../domain/approvals/use.ts';
import type { Gate, WriteContext } from './operation.ts';
import { accepted } from './reply.ts';
import type { Reply } from './reply.ts';

/** A request by a key that is held by an agent. */
export interface GatedRequest {
  readonly gate: Gate<unknown, unknown, string>;
  readonly method: string;
  /** Relative to the base URL, with its ids in lower case. */
  readonly path: string;
  /** The body as it was sent. */
  readonly sent: Readonly<Record<string, unknown>> | undefined;
  /** The header Service-Approval. */
  readonly approvalId: string | undefined;
}

/**
 * Requires a person's approval for an agent's request. If the request names an approval, it is used up; otherwise a
 * person is asked. Operations that the organisation has exempted need none.
 *
 * @returns the answer if a person has been asked; null if the operation may continue
 * @throws ServiceError NOT_FOUND for the target, CONFLICT if too many approvals are pending, APPROVAL_DENIED,
 *   APPROVAL_INVALID
 */
export async function passGate(
  request: GatedRequest,
  context: WriteContext<unknown, unknown, string>,
): Promise<Reply | null> {
  const { gate, method, path, sent, approvalId } = request;
  const { tx, site, caller, actor, now } = context;
  const change = { tx, site, actor, now };
  const inForce = await gatesOf(tx, site.organisationId, gate.actions);
  if (inForce.length === 0) return null;
  const own = await gate.among?.(context);
  const action = inForce.find((one) => own?.includes(one) ?? true);
  if (action === undefined) return null;
  const target = await gate.target?.(context);
  const wanted = {
    siteId: site.id,
    keyId: caller.keyId,
    action,
    method,
    path,
    body: sent ?? null,
    hidden: gate.hidden ?? [],
    targetVersion: target ? String(target.version) : null,
    target: target?.shown ?? null,
  };
  if (approvalId === undefined)
    return accepted({ approval: presentAsked(await askApproval(change, wanted)) });
  await useApproval(change, approvalId, wanted);
  return null;
}
