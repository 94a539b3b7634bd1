import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Presswork, PressworkError } from '../../sdk/src/index.ts';
import type { DeviceToken } from '../../sdk/src/index.ts';

/** The person said no, or nothing in time. Only a new start of the command asks again. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
}

export interface SignInOptions {
  /** Including `/v1`. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
  /** Shows a person where to go, and the code to compare. */
  readonly say: (text: string) => void;
}

const MOST_OF_A_NAME = 100;

/**
 * Signs in as a device (docs/spec/rulings.md, 11): a person approves it in a browser.
 *
 * @returns the secret of a new key, which an agent holds
 * @throws SignInRefused, or PressworkError if the API cannot be reached
 */
export async function signInAsDevice({ baseUrl, signal, say }: SignInOptions): Promise<string> {
  const presswork = new Presswork({ baseUrl, signal });
  const started = await presswork.deviceSignIn.start({
    client_name: `MCP on ${hostname()}`.slice(0, MOST_OF_A_NAME),
    held_by_agent: true,
  });
  say(
    `Sign in: open ${started.verification_uri_complete} and approve the code ${started.user_code} ` +
      `within ${started.expires_in / 60} minutes.`,
  );
  const until = performance.now() + started.expires_in * 1_000;
  for (let { interval } = started; performance.now() < until;) {
    await sleep(interval * 1_000, undefined, { signal });
    const answer = await poll(presswork, started.device_code);
    if (answer === null) continue;
    interval = answer.interval;
    if (answer.status === 'approved') {
      say('Signed in.');
      return secretOf(answer);
    }
    if (answer.status === 'access_denied') throw new SignInRefused('The sign-in was denied.');
    if (answer.status === 'expired_token') break;
  }
  throw new SignInRefused('Nobody approved the sign-in in time.');
}

/** Null if the API does not answer just now: the code stays valid. */
async function poll(presswork: Presswork, deviceCode: string): Promise<DeviceToken | null> {
  try {
    return await presswork.deviceSignIn.poll({ device_code: deviceCode });
  } catch (error) {
    const passes =
      error instanceof PressworkError && (error.status === 0 || error.status === 429 || error.status >= 500);
    if (!passes) throw error;
    return null;
  }
}

/** The secret comes once: an answer that was lost on the way had it. */
function secretOf({ key }: DeviceToken): string {
  if (typeof key?.secret === 'string') return key.secret;
  throw new SignInRefused('The key was lost on its way. Revoke it, and start the command again.');
}
