import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { findAskedBefore, findStatusOf } from '../../../domain/approvals/asked-before.ts';
import type { AskedBefore } from '../../../domain/approvals/asked-before.ts';
import type { SecretBox } from '../../../domain/secret-box.ts';
import type { Agent } from '../agent.ts';
import type { ToolCall } from './arguments.ts';
import { failed } from './results.ts';
import type { OperationTool } from './toolbox.ts';

/** A repeated call waits this long for the person, so that clients need not ask again and again. */
const WAIT_MS = 10_000;
const LOOK_MS = 500;
/** Calls of a process, and of one Site, that wait at the same time; others are told at once. */
const MOST_WAITING = 100;
const MOST_WAITING_OF_SITE = 10;
const waiting = new Map<string, number>();

/** @returns whether there is room to wait; then `leave` has to follow */
function enter(siteId: string): boolean {
  const ofSite = waiting.get(siteId) ?? 0;
  const ofAll = [...waiting.values()].reduce((sum, count) => sum + count, 0);
  if (ofSite >= MOST_WAITING_OF_SITE || ofAll >= MOST_WAITING) return false;
  waiting.set(siteId, ofSite + 1);
  return true;
}

function leave(siteId: string): void {
  const left = (waiting.get(siteId) ?? 0) - 1;
  if (left > 0) waiting.set(siteId, left);
  else waiting.delete(siteId);
}

/**
 * The approval for a gated call that asks again: the one that it carries, or else the one that the same key has asked
 * for by the same call. Null if there is none, so that the call asks for one.
 */
export async function approvalOf(
  agent: Agent,
  { operation }: OperationTool,
  { method, plainPath, body }: ToolCall,
): Promise<AskedBefore | null> {
  const { ports, auth, carried } = agent;
  if (operation.approval === undefined || !auth.caller.heldByAgent) return null;
  const asker = { siteId: auth.site.id, keyId: auth.caller.keyId };
  const now = ports.clock.now();
  if (carried === null) {
    const sent = (body ?? null) as Readonly<Record<string, unknown>> | null;
    return findAskedBefore(ports.db, { ...asker, method, path: plainPath, body: sent }, now);
  }
  const approval = await decided(agent, asker, carried);
  // Without one, the call asks anew.
  return approval === null || approval.status === 'expired' || approval.status === 'used' ? null : approval;
}

/** Waits a little while for the decision. */
async function decided(
  { ports, signal }: Agent,
  asker: { readonly siteId: string; readonly keyId: string },
  id: string,
): Promise<AskedBefore | null> {
  const look = () => findStatusOf(ports.db, asker, id, ports.clock.now());
  let approval = await look();
  if (approval?.status !== 'pending' || !enter(asker.siteId)) return approval;
  try {
    for (let left = WAIT_MS; left > 0 && approval?.status === 'pending' && !signal.aborted; left -= LOOK_MS) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      approval = await look();
    }
    return approval;
  } finally {
    leave(asker.siteId);
  }
}

/**
 * Asks for a person's decision by the address of the approval in the dashboard, where only people can decide
 * (docs/spec/rulings.md, 18).
 */
export async function askForDecision(
  agent: Agent,
  { operation }: OperationTool,
  id: string,
): Promise<CallToolResult | InputRequiredResult> {
  const { ports, auth, canAskByUrl } = agent;
  const url = `${ports.publicUrl}/dashboard/${auth.site.id}/approvals/${id}`;
  const what = `${operation.summary} (${auth.site.name})`;
  if (canAskByUrl) {
    const message = `A person of the Site has to decide: ${what}. Open the address, sign in, and approve or deny it there.`;
    return inputRequired({
      inputRequests: { decision: inputRequired.elicitUrl({ message, url }) },
      requestState: sealState(ports.box, auth.caller.keyId, id),
    });
  }
  return failed(
    `APPROVAL_REQUIRED: ${what} needs the decision of a person. Ask them to open ${url} and decide there; you cannot decide. Afterwards, make exactly the same call again: it is carried out if they have approved it. The request ends after 24 hours.`,
  );
}

const ownerOf = (keyId: string): string => `mcp-approval/${keyId}`;

/** What a client carries between two calls: readable and usable by nobody, and valid for the same key only. */
const sealState = (box: SecretBox, keyId: string, approvalId: string): string =>
  box.seal(approvalId, ownerOf(keyId)).toString('base64url');

/** @throws Error if the state is not of this key */
export const openState = (box: SecretBox, keyId: string, state: string): string =>
  box.open(Buffer.from(state, 'base64url'), ownerOf(keyId));
