import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { identityOf } from './processes.ts';
import type { ProcessIdentity } from './processes.ts';

/** How to run a process that is kept running. */
export interface Service {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** The signal that ends it in good order. */
  readonly stopSignal: NodeJS.Signals;
  readonly logFile: string;
}

const FIRST_BACK_OFF_MS = 100;
const LONGEST_BACK_OFF_MS = 10_000;
/** After so long alive, the next death counts as the first again. */
const SETTLED_MS = 60_000;

/** A process that is started again when it dies, with back-off, and says why it died. */
export class Supervised {
  readonly service: Service;
  readonly #onChange: () => void;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #identity: ProcessIdentity | undefined;
  #backOff = FIRST_BACK_OFF_MS;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  #lastLine = '';

  /** @param onChange called when the running process is another one */
  constructor(service: Service, onChange: () => void) {
    this.service = service;
    this.#onChange = onChange;
    this.#log = createWriteStream(service.logFile, { flags: 'a', mode: 0o600 });
  }

  get identity(): ProcessIdentity | undefined {
    return this.#identity;
  }

  start(): void {
    const { name, command, args, env, uid, gid } = this.service;
    const startedAt = Date.now();
    // A group of its own: a terminal's Ctrl-C reaches the supervisor alone, which ends all in order.
    const child = spawn(command, args, { env, uid, gid, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#identity = child.pid === undefined ? undefined : identityOf(child.pid);
    child.stdout.on('data', (chunk: Buffer) => this.#note(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#note(chunk));
    let ended = false;
    const onEnd = (reason: string): void => {
      if (ended) return;
      ended = true;
      this.#child = undefined;
      this.#identity = undefined;
      if (this.#stopping) return;
      if (Date.now() - startedAt > SETTLED_MS) this.#backOff = FIRST_BACK_OFF_MS;
      const said = this.#lastLine === '' ? '' : `; its last line: ${this.#lastLine}`;
      console.log(`${name} ended (${reason}), starting it again in ${this.#backOff} ms${said}`);
      this.#timer = setTimeout(() => this.start(), this.#backOff);
      this.#backOff = Math.min(LONGEST_BACK_OFF_MS, this.#backOff * 2);
    };
    child.on('error', (error) => onEnd(error.message));
    child.on('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
    this.#onChange();
  }

  /** Ends it for good: in good order, and by force after `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(this.service.stopSignal);
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await exited;
    clearTimeout(timer);
  }

  kill(): void {
    this.#stopping = true;
    this.#child?.kill('SIGKILL');
  }

  #note(chunk: Buffer): void {
    this.#log.write(chunk);
    const line = chunk.toString().trimEnd().split('\n').at(-1) ?? '';
    if (line !== '') this.#lastLine = line.slice(0, 300);
  }
}
