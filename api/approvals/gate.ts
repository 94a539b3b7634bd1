import { askApproval, presentAsked } from '../../domain/approvals/ask.ts';
import { requiresApproval } from '../../domain/approvals/requirement.ts';
import { useApproval } from '../../domain/approvals/use.ts';
import type { Gate, WriteContext } from '../operation.ts';
import { accepted } from '../reply.ts';
import type { Reply } from '../reply.ts';

/** A request of an agent's key, at the gate. */
export interface GatedRequest {
  readonly gate: Gate<unknown, unknown>;
  readonly method: string;
  /** Below the base address, with its ids in lower case. */
  readonly path: string;
  /** The body as it was sent. */
  readonly sent: Readonly<Record<string, unknown>> | undefined;
  /** The header Service-Approval. */
  readonly approvalId: string | undefined;
}

/**
 * Holds an agent's request up: with an approval it is used and the operation goes on, without one a person is asked.
 * What the organisation has excepted goes on as it is.
 *
 * @returns the answer where a person has been asked, or null where the operation may go on
 * @throws ServiceError NOT_FOUND for the target, APPROVAL_DENIED, APPROVAL_INVALID
 */
export async function passGate(
  request: GatedRequest,
  context: WriteContext<unknown, unknown>,
): Promise<Reply | null> {
  const { gate, method, path, sent, approvalId } = request;
  const { tx, site, caller, now } = context;
  if (!(await requiresApproval(tx, site.organisationId, gate.action))) return null;
  const target = await gate.target?.(context);
  const wanted = {
    siteId: site.id,
    keyId: caller.keyId,
    action: gate.action,
    method,
    path,
    body: sent ?? null,
    targetVersion: target ? String(target.version) : null,
  };
  if (approvalId === undefined)
    return accepted({ approval: presentAsked(await askApproval(tx, wanted, now)) });
  await useApproval(tx, approvalId, wanted, now);
  return null;
}
