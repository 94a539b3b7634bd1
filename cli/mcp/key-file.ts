import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isWellFormedSecret } from '../../packages/base/key-form.ts';

const MOST_BYTES = 4_096;
/** Whatever the group and others may do. */
const OTHERS = 0o077;

/**
 * Where the key for an API is kept between two starts. There is a file for each API, so that commands for several of
 * them, which run at the same time, never write the same file.
 */
export class KeyFile {
  readonly path: string;
  readonly #folder: string;
  readonly #origin: string;
  readonly #say: (text: string) => void;

  constructor(origin: string, env: NodeJS.ProcessEnv, say: (text: string) => void) {
    this.#origin = origin;
    this.#say = say;
    this.#folder = join(configurationFolder(env), 'presswork');
    this.path = join(this.#folder, `${encodeURIComponent(origin)}.json`);
  }

  /** Makes the folder. @throws Error if another user owns it or the file, or if either is a link */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const folder = await lstat(this.#folder);
    if (!folder.isDirectory() || !isOwn(folder.uid))
      throw new Error(`${this.#folder} must be a folder of your own, because keys are kept in it.`);
    if ((folder.mode & OTHERS) === 0) return;
    await chmod(this.#folder, 0o700);
    this.#say(`${this.#folder} was open to other users, and is now yours alone.`);
  }

  /** The secret of the key, or null without a usable one. @throws Error if the file is not the user's own */
  async read(): Promise<string | null> {
    const file = await this.#open();
    if (file === null) return null;
    try {
      await this.#claim(file);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
      return this.#secretIn(buffer.toString('utf8', 0, bytesRead));
    } finally {
      await file.close();
    }
  }

  /** Replaces the file as a whole, so that a reader sees the old key or the new one. */
  async write(secret: string): Promise<void> {
    const temporary = `${this.path}.${randomUUID()}`;
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(`${JSON.stringify({ origin: this.#origin, key: secret }, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async #open(): Promise<FileHandle | null> {
    try {
      // Without O_NONBLOCK, a pipe of that name would wait for a writer.
      return await open(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      throw new Error(`${this.path} cannot be read (${code ?? 'unknown'}). Remove it to sign in anew.`, {
        cause: error,
      });
    }
  }

  async #claim(file: FileHandle): Promise<void> {
    const { uid, mode, isFile } = await file.stat().then((stats) => ({
      uid: stats.uid,
      mode: stats.mode,
      isFile: stats.isFile(),
    }));
    if (!isFile || !isOwn(uid))
      throw new Error(`${this.path} is not a file of your own. Remove it to sign in anew.`);
    if ((mode & OTHERS) === 0) return;
    await file.chmod(0o600);
    this.#say(
      `${this.path} was open to other users, and is now yours alone. If others use this machine, revoke the key.`,
    );
  }

  #secretIn(text: string): string | null {
    try {
      const { origin, key } = JSON.parse(text) as { origin?: unknown; key?: unknown };
      if (origin === this.#origin && typeof key === 'string' && isWellFormedSecret(key)) return key;
    } catch {
      // Said below.
    }
    this.#say(`${this.path} has no usable key.`);
    return null;
  }
}

/** By the XDG Base Directory Specification, which ignores relative paths. */
function configurationFolder({ XDG_CONFIG_HOME: configured = '', HOME: home }: NodeJS.ProcessEnv): string {
  return isAbsolute(configured) ? configured : join(home || homedir(), '.config');
}

/** On Windows, files have no numeric owner, and the folder of the user is private. */
const isOwn = (uid: number): boolean => process.getuid === undefined || uid === process.getuid();
