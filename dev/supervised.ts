import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ComplaintDisplay, complaintOf, plainText } from './complaints.ts';
import { LogFile } from './log-file.ts';
import { identityOf } from './processes.ts';
import type { ProcessIdentity } from './processes.ts';

/** How to run a process that is kept running. */
export interface Service {
  readonly name: string;
  /** Applications stand on servers: they are ended first, and what they complain of is shown. */
  readonly role: 'application' | 'server';
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The signal that ends it in good order. */
  readonly stopSignal: NodeJS.Signals;
  readonly logFile: string;
}

/** A process of the stack, as the next start finds it where this one is killed. */
export type NotedChild = ProcessIdentity & Pick<Service, 'name' | 'role' | 'stopSignal'>;

const FIRST_BACK_OFF_MS = 100;
const LONGEST_BACK_OFF_MS = 10_000;
/** After so long alive, the next death counts as the first again. */
const SETTLED_MS = 60_000;
/** What was said longer ago has nothing to do with a death. */
const RECENT_MS = 5_000;
const LAST_WORDS_MS = 300;

/** A process that is started again when it dies, with back-off, and says why it died. */
export class Supervised {
  readonly service: Service;
  readonly #onChange: () => void;
  readonly #log: LogFile;
  readonly #display: ComplaintDisplay;
  #child: ChildProcess | undefined;
  #identity: ProcessIdentity | undefined;
  #backOff = FIRST_BACK_OFF_MS;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  #lastWords = { text: '', fatal: false, at: 0 };

  /** @param onChange called when the running process is another one */
  constructor(service: Service, onChange: () => void) {
    this.service = service;
    this.#onChange = onChange;
    this.#log = new LogFile(service.logFile);
    this.#display = new ComplaintDisplay(service.name, service.logFile);
  }

  /** The running process, for the next start; undefined between two. */
  get running(): NotedChild | undefined {
    const { name, role, stopSignal } = this.service;
    return this.#identity && { name, role, stopSignal, ...this.#identity };
  }

  start(): void {
    const { command, args, env } = this.service;
    const startedAt = Date.now();
    // A group of its own: a terminal's Ctrl-C reaches the supervisor alone, which ends all in order.
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#identity = child.pid === undefined ? undefined : identityOf(child.pid);
    this.#follow(child.stdout);
    this.#follow(child.stderr);
    let ended = false;
    const onEnd = (reason: string): void => {
      if (ended) return;
      ended = true;
      this.#child = undefined;
      this.#identity = undefined;
      if (!this.#stopping) this.#restart(reason, Date.now() - startedAt);
    };
    child.on('error', (error) => onEnd(error.message));
    // What it said last is read after its end; a grandchild may hold its output open for longer than matters.
    child.on('exit', (code, signal) => {
      const reason = signal ?? `exit code ${code}`;
      child.once('close', () => onEnd(reason));
      setTimeout(() => onEnd(reason), LAST_WORDS_MS);
    });
    this.#onChange();
  }

  /** Ends it for good: in good order, and by force after `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    child.kill(this.service.stopSignal);
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.#stopping = true;
    this.#child?.kill('SIGKILL');
  }

  #restart(reason: string, livedMs: number): void {
    if (livedMs > SETTLED_MS) this.#backOff = FIRST_BACK_OFF_MS;
    const { text, at } = this.#lastWords;
    const said = text !== '' && Date.now() - at < RECENT_MS ? `: ${text}` : '';
    console.log(`${this.service.name} ended (${reason})${said}. Starting it again in ${this.#backOff} ms.`);
    this.#timer = setTimeout(() => this.start(), this.#backOff);
    this.#backOff = Math.min(LONGEST_BACK_OFF_MS, this.#backOff * 2);
  }

  #follow(output: Readable): void {
    output.on('data', (chunk: Buffer) => this.#log.write(chunk));
    createInterface({ input: output }).on('line', (line) => {
      const complaint = complaintOf(line);
      this.#remember(complaint?.fatal ? complaint.text : plainText(line), complaint?.fatal ?? false);
      if (complaint && this.service.role === 'application' && !this.#stopping) this.#display.show(complaint);
    });
  }

  /** For its death: the last error, or else the last line of plain text, such as a wrong setting. */
  #remember(text: string, fatal: boolean): void {
    const { fatal: knowsError, at } = this.#lastWords;
    const betterKnown = !fatal && knowsError && Date.now() - at < RECENT_MS;
    if (text !== '' && !betterKnown) this.#lastWords = { text, fatal, at: Date.now() };
  }
}
