import { createHash } from 'node:crypto';
import type { Transaction } from '../../db/transaction.ts';
import { at, statement } from '../../db/sql.ts';
import { newId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';

const PURPOSE = 'token of a mailed link';

/** A link that is mailed to a member: the token of the link, which is not stored, follows from the id of the mail. */
export interface LinkMail {
  readonly token: string;
}

/** Has a link mailed to a member by the workflow of their messages. @returns the token that the link has to have */
export async function mailLink(
  tx: Transaction,
  box: SecretBox,
  memberId: string,
  kind: 'link.invitation' | 'link.password',
  now: Date,
): Promise<LinkMail> {
  const id = newId();
  await tx.exec(statement`
    insert into notifications (id, member_id, kind, created_at, mail_due_at)
    values (${id}, ${memberId}, ${kind}, ${at(now)}, ${at(now)})`);
  signalWorkflow(tx, 'messages', { memberId }, now);
  return { token: box.fingerprint(id, PURPOSE).toString('base64url') };
}

/**
 * The token of a mail, by the key that made it.
 *
 * @param hash of the member's link that works
 * @returns null if that is not the link of this mail: it was used, or another one was made since
 */
export function tokenOfMail(box: SecretBox, id: string, hash: Buffer | null): string | null {
  const tokens = box.fingerprints(id, PURPOSE).map((mac) => mac.toString('base64url'));
  return (
    tokens.find((token) => hash !== null && createHash('sha256').update(token).digest().equals(hash)) ?? null
  );
}
