import { z } from 'zod';
import { noteProof } from '../../../domain/sign-in/proof.ts';
import { useCode } from '../../../domain/sign-in/second-factor.ts';
import { Code, Password, proving, requirePassword, requireRight } from './proofs.ts';
import { dashboardRoute } from './route.ts';

const Proof = z.union([z.strictObject({ current_password: Password }), z.strictObject({ code: Code })]);

const prove = dashboardRoute<z.infer<typeof Proof>>({
  method: 'POST',
  path: '/prove',
  body: Proof,
  async handle(asked) {
    const { ports, session, body, now } = asked;
    await proving(asked, async () => {
      if ('current_password' in body) {
        await requirePassword(asked, body.current_password);
        return;
      }
      const used = await ports.db.transaction((tx) =>
        useCode(tx, ports.box, session.memberships, body.code, now),
      );
      await requireRight(asked, used.length > 0 ? used : null);
    });
    await ports.db.transaction((tx) => noteProof(tx, session.id, now));
    return { status: 204 };
  },
});

export const proveRoutes = [prove];
