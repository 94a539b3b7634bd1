import { SignInRefused } from './device-sign-in.ts';
import type { KeyFile } from './key-file.ts';

/** The key of the command: the kept one, or that of a new sign-in. */
export class Keys {
  readonly #file: Pick<KeyFile, 'prepare' | 'read' | 'write'>;
  readonly #signIn: () => Promise<string>;
  #secret: string | null = null;
  /** A sign-in that several messages wait for. Stays if a person refused, so that nobody is asked twice. */
  #obtaining: Promise<string> | null = null;

  constructor(file: Pick<KeyFile, 'prepare' | 'read' | 'write'>, signIn: () => Promise<string>) {
    this.#file = file;
    this.#signIn = signIn;
  }

  /**
   * @param rejected a secret that the API does not accept any more
   * @throws SignInRefused, and what else keeps it from signing in or from keeping the key
   */
  get(rejected?: string): Promise<string> {
    if (this.#secret !== null && this.#secret !== rejected) return Promise.resolve(this.#secret);
    this.#obtaining ??= this.#obtain(rejected).then(
      (secret) => {
        this.#secret = secret;
        this.#obtaining = null;
        return secret;
      },
      (error: unknown) => {
        if (!(error instanceof SignInRefused)) this.#obtaining = null;
        throw error;
      },
    );
    return this.#obtaining;
  }

  async #obtain(rejected: string | undefined): Promise<string> {
    // Before a person is asked for a key that could not be kept.
    await this.#file.prepare();
    // Another process may have signed in anew.
    const kept = await this.#file.read();
    if (kept !== null && kept !== rejected) return kept;
    const secret = await this.#signIn();
    await this.#file.write(secret);
    return secret;
  }
}
