import { signOut } from '../../../domain/sign-in/sessions.ts';
import { requestIdOf } from '../../framework/envelope.ts';
import { writeToken } from './browser.ts';
import type { Visit } from './page.ts';

/** Signs the browser out. */
export const endVisit = (visit: Visit): Promise<void> => changeToken(visit, null);

/** Ends the session of the browser, if it has one, and gives it another token, or none. */
export async function changeToken(visit: Visit, token: string | null): Promise<void> {
  const { ports, ctx, session, now } = visit;
  if (session !== null) await ports.db.transaction((tx) => signOut(tx, session, requestIdOf(ctx), now));
  writeToken(ports, ctx, token);
}
