import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { findAskedBefore, findAskedById } from '../../../domain/approvals/asked-before.ts';
import type { AskedBefore, AskingCall } from '../../../domain/approvals/asked-before.ts';
import type { SecretBox } from '../../../domain/kernel/secret-box.ts';
import type { Agent } from './agent.ts';
import type { ToolCall } from './arguments.ts';
import { failed } from './results.ts';
import type { OperationTool } from './toolbox.ts';

/** The name of our request for a decision. */
export const DECISION = 'decision';

/** Whether a client's answer is that nobody opens the address. It decides nothing: the person still can. */
export const isDeclined = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'action' in answer &&
  (answer.action === 'decline' || answer.action === 'cancel');

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
 * for by the same call. Null if there is none for this call, so that the call asks for one.
 */
export async function approvalOf(
  agent: Agent,
  { operation }: OperationTool,
  { method, plainPath, body }: ToolCall,
): Promise<AskedBefore | null> {
  const { ports, auth, carried } = agent;
  if (operation.approval === undefined || !auth.caller.heldByAgent) return null;
  const sent = (body ?? null) as AskingCall['body'];
  const call = { siteId: auth.site.id, keyId: auth.caller.keyId, method, path: plainPath, body: sent };
  return carried === null
    ? findAskedBefore(ports.db, ports.box, call, ports.clock.now())
    : await decided(agent, call, carried);
}

/** Waits a little while for the decision. */
async function decided(
  { ports, signal, hasDeclined }: Agent,
  call: AskingCall,
  id: string,
): Promise<AskedBefore | null> {
  const look = () => findAskedById(ports.db, ports.box, call, id, ports.clock.now());
  let approval = await look();
  if (approval?.status !== 'pending' || hasDeclined || !enter(call.siteId)) return approval;
  try {
    for (let left = WAIT_MS; left > 0 && approval?.status === 'pending' && !signal.aborted; left -= LOOK_MS) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      approval = await look();
    }
    return approval;
  } finally {
    leave(call.siteId);
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
  const { ports, auth, canAskByUrl, hasDeclined } = agent;
  const url = `${ports.publicUrl}/dashboard/${auth.site.id}/approvals/${id}`;
  const what = `${operation.summary} (${auth.site.name})`;
  if (canAskByUrl && !hasDeclined) {
    const message = `A person of the Site has to decide: ${what}. Open the address, sign in, and approve or deny it there.`;
    return inputRequired({
      inputRequests: { [DECISION]: inputRequired.elicitUrl({ message, url }) },
      requestState: sealState(ports.box, auth.caller.keyId, id),
    });
  }
  return failed(
    `APPROVAL_REQUIRED: ${what} needs the decision of a person. Ask them to open ${url} and decide there; you cannot decide. Afterwards, make exactly the same call again: it is carried out if they have approved it. The request ends after 24 hours.`,
  );
}

const ownerOf = (keyId: string): string => `mcp-approval/${keyId}`;

/** The state that a client carries between two calls: readable and usable by nobody, and valid for the same key only. */
const sealState = (box: SecretBox, keyId: string, approvalId: string): string =>
  box.seal(approvalId, ownerOf(keyId)).toString('base64url');

/** @throws Error if the state is not of this key, or is not spelled as it was given out */
export function openState(box: SecretBox, keyId: string, state: string): string {
  const sealed = Buffer.from(state, 'base64url');
  if (sealed.toString('base64url') !== state) throw new Error('The state is not base64url');
  return box.open(sealed, ownerOf(keyId));
}
