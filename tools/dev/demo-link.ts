import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { DatabaseOptions } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { SIGN_IN_LINKS } from '../../domain/sign-in/link-paths.ts';
import { createLink } from '../../domain/sign-in/links.ts';
import { MEMBER } from './demo.ts';

/**
 * The path that opens the dashboard: it signs the demo owner in, once and from this machine
 * (docs/spec/rulings.md, 16). If the owner has been removed, the sign-in page asks for a password.
 */
export async function dashboardPath(database: Omit<DatabaseOptions, 'applicationName'>): Promise<string> {
  const db = createDatabase({ ...database, applicationName: 'presswork-demo', poolSize: 1 });
  try {
    return await db.transaction(async (tx) => {
      const owner = await tx.maybeOne(sql.type(z.object({ id: z.string() }))`
        select id from members where id = ${MEMBER} and removed_at is null`);
      if (owner === null) return '/dashboard';
      const { token } = await createLink(tx, owner.id, 'sign_in', new Date());
      return SIGN_IN_LINKS + token;
    });
  } finally {
    await db.close();
  }
}
