import { Secret, TOTP } from 'otpauth';
import type { TestClock } from './clock.ts';
import type { DashboardVisitor } from './dashboard.ts';

/** The code that an app shows at a moment. */
export const codeAt = (secret: string, now: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });

/** Sets up the second factor of a signed-in person. */
export async function enrol(
  visitor: DashboardVisitor,
  password: string,
  clock: TestClock,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const started = await visitor.ask('POST', '/two-factor', { current_password: password });
  const { secret } = started.data;
  const confirmed = await visitor.ask('POST', '/two-factor/confirm', { code: codeAt(secret, clock.now()) });
  if (confirmed.status !== 200) throw new Error(`the confirmation was answered with ${confirmed.text}`);
  // The code has been used, and attempts are counted by the minute.
  clock.advance(60_000);
  return { secret, recoveryCodes: confirmed.data.recovery_codes };
}
