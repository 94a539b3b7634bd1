import { z } from 'zod';
import { createResetLink } from '../../../domain/sign-in/links.ts';
import { changeOwnPassword, hashInTurn, hashOf } from '../../../domain/sign-in/passwords.ts';
import { findSecondFactor, useCode } from '../../../domain/sign-in/second-factor.ts';
import { clientGone } from '../../http/client-gone.ts';
import { RESETS } from '../../../domain/sign-in/link-paths.ts';
import { Code, Password, proving, requirePassword, requireRight } from './proofs.ts';
import { actorOf, dashboardRoute, personOf, requirePermission, requireSite } from './route.ts';

const PasswordChange = z.strictObject({
  current_password: Password,
  new_password: Password,
  code: Code.optional(),
});

const change = dashboardRoute<z.infer<typeof PasswordChange>>({
  method: 'POST',
  path: '/password',
  body: PasswordChange,
  async handle(asked) {
    const { ports, ctx, session, body, now } = asked;
    await proving(asked, async () => {
      const proven = await requirePassword(asked, body.current_password);
      const made = await hashInTurn(body.new_password, ports.clientAddress(ctx.req), clientGone(ctx));
      const passwordHash = hashOf(made, 'new_password');
      const changed = await ports.db.transaction(async (tx) => {
        const { enabled } = await findSecondFactor(tx, session.memberships);
        const used = enabled ? await useCode(tx, ports.box, session.memberships, body.code ?? '', now) : [];
        if (enabled && used.length === 0) return null;
        await changeOwnPassword(tx, personOf(asked), session.id, { proven, passwordHash }, now);
        return true;
      });
      await requireRight(asked, changed);
    });
    return { status: 204 };
  },
});

const resetLink = dashboardRoute({
  method: 'POST',
  path: '/:site/members/:member/reset-link',
  async handle(asked) {
    const { params, now } = asked;
    const { by, ports } = requireSite(asked);
    requirePermission(by, 'team.manage');
    const actor = actorOf(asked, by);
    const link = await ports.db.transaction((tx) =>
      createResetLink(
        { tx, actor, now },
        by.organisationId,
        by,
        params['member'] ?? '',
        ports.mails ? ports.box : null,
      ),
    );
    const url = `${ports.publicUrl}${RESETS}${link.token}`;
    return { status: 201, data: { url, expires_at: link.expiresAt.toISOString(), mailed: ports.mails } };
  },
});

export const passwordRoutes = [change, resetLink];
