import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { ServiceError } from '../kernel/errors.ts';

/** How long a password or a code proves who sits there. */
const PROOF_MS = 10 * 60_000;

/** The header of the answer to a request whose proof is too old; the dashboard asks for another one. */
const PROOF_HEADER = 'Presswork-Proof';

const provedRow = z.object({ proved: z.boolean() });

/**
 * Whether the person of a session has lately proved who they are. Somebody without a password, who came by a link of the
 * operator, has nothing to prove it with.
 *
 * @throws ServiceError FORBIDDEN
 */
export async function requireRecentProof(db: Queryable, sessionId: string, now: Date): Promise<void> {
  const session = await db.maybeOne(sql.type(provedRow)`
    select coalesce(proved_at, created_at) > ${at(new Date(now.getTime() - PROOF_MS))} or not exists (
      select from session_members sm join members m on m.id = sm.member_id
      where sm.token_hash = s.token_hash and m.password_hash is not null
    ) as proved
    from sessions s where id = ${sessionId}`);
  // The key of a session that has ended is refused as such.
  if (session === null || session.proved) return;
  throw new ServiceError(
    'FORBIDDEN',
    'This takes your password, or a code of your second factor, again: POST /dashboard/api/prove.',
    { headers: { [PROOF_HEADER]: 'required' } },
  );
}

export const noteProof = (tx: Transaction, sessionId: string, now: Date): Promise<number> =>
  tx.exec(statement`update sessions set proved_at = ${at(now)} where id = ${sessionId}`);
