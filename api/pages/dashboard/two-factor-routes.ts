import { renderSVG } from 'uqr';
import { z } from 'zod';
import {
  confirmSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../../domain/sign-in/second-factor.ts';
import { totpUri } from '../../../domain/sign-in/totp.ts';
import { Code, Password, proving, recordingFailure, requirePassword, requireRight } from './proofs.ts';
import { dashboardRoute, personOf } from './route.ts';

const Start = z.strictObject({ current_password: Password });
const WithCode = z.strictObject({ code: Code });
const End = z.strictObject({ current_password: Password, code: Code });

const start = dashboardRoute<z.infer<typeof Start>>({
  method: 'POST',
  path: '/two-factor',
  body: Start,
  async handle(asked) {
    const { ports, session, body, now } = asked;
    await proving(asked, () => requirePassword(asked, body.current_password));
    const secret = await ports.db.transaction((tx) => startSecondFactor(tx, ports.box, session, now));
    const uri = totpUri(secret, session.email);
    return { status: 200, data: { secret, uri, qr: renderSVG(uri) } };
  },
});

const confirm = dashboardRoute<z.infer<typeof WithCode>>({
  method: 'POST',
  path: '/two-factor/confirm',
  body: WithCode,
  async handle(asked) {
    const { ports, body, now } = asked;
    const codes = await proving(asked, () =>
      recordingFailure(
        asked,
        ports.db.transaction((tx) => confirmSecondFactor(tx, ports.box, personOf(asked), body.code, now)),
      ),
    );
    return { status: 200, data: { recovery_codes: codes } };
  },
});

const renew = dashboardRoute<z.infer<typeof WithCode>>({
  method: 'POST',
  path: '/two-factor/recovery-codes',
  body: WithCode,
  async handle(asked) {
    const { ports, body, now } = asked;
    const codes = await proving(asked, async () =>
      requireRight(
        asked,
        await ports.db.transaction((tx) =>
          renewRecoveryCodes(tx, ports.box, personOf(asked), body.code, now),
        ),
      ),
    );
    return { status: 200, data: { recovery_codes: codes } };
  },
});

const end = dashboardRoute<z.infer<typeof End>>({
  method: 'DELETE',
  path: '/two-factor',
  body: End,
  async handle(asked) {
    const { ports, body, now } = asked;
    await proving(asked, async () => {
      await requirePassword(asked, body.current_password);
      const ended = await ports.db.transaction((tx) =>
        endSecondFactor(tx, ports.box, personOf(asked), body.code, now),
      );
      await requireRight(asked, ended);
    });
    return { status: 204 };
  },
});

export const twoFactorRoutes = [start, confirm, renew, end];
