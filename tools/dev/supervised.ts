import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ProblemDisplay, problemOf, plainText } from './problems.ts';
import { LogFile } from './log-file.ts';
import { identityOf } from './processes.ts';
import type { ProcessIdentity } from './processes.ts';

/** How to run a supervised process. */
export interface Service {
  readonly name: string;
  /** Applications depend on servers: they are stopped first, and their problems are shown. */
  readonly role: 'application' | 'server';
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The signal for a graceful shutdown. */
  readonly stopSignal: NodeJS.Signals;
  readonly logFile: string;
}

/** A process of the stack, recorded for the next start in case this one is killed. */
export type NotedChild = ProcessIdentity & Pick<Service, 'name' | 'role' | 'stopSignal'>;

const FIRST_BACK_OFF_MS = 100;
const LONGEST_BACK_OFF_MS = 10_000;
/** After this uptime, the next death counts as the first again. */
const SETTLED_MS = 60_000;
/** Older output has nothing to do with a death. */
const RECENT_MS = 5_000;
const LAST_WORDS_MS = 300;

/** A process that is restarted with back-off when it dies, with a message why it died. */
export class Supervised {
  readonly service: Service;
  readonly #onChange: () => void;
  readonly #log: LogFile;
  readonly #display: ProblemDisplay;
  #child: ChildProcess | undefined;
  #identity: ProcessIdentity | undefined;
  #backOff = FIRST_BACK_OFF_MS;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  #lastWords = { text: '', fatal: false, at: 0 };

  /** @param onChange called when the running process has changed */
  constructor(service: Service, onChange: () => void) {
    this.service = service;
    this.#onChange = onChange;
    this.#log = new LogFile(service.logFile);
    this.#display = new ProblemDisplay(service.name, service.logFile);
  }

  /** The running process, for the next start; undefined while none runs. */
  get running(): NotedChild | undefined {
    const { name, role, stopSignal } = this.service;
    return this.#identity && { name, role, stopSignal, ...this.#identity };
  }

  start(): void {
    const { command, args, env } = this.service;
    const startedAt = Date.now();
    // Its own process group: a terminal's Ctrl-C only reaches the supervisor, which stops everything in order. Its
    // standard input is never written to. It closes when this process ends, by which applications notice even a kill.
    const input = this.service.role === 'application' ? 'pipe' : 'ignore';
    const child = spawn(command, args, { env, detached: true, stdio: [input, 'pipe', 'pipe'] });
    this.#child = child;
    this.#identity = child.pid === undefined ? undefined : identityOf(child.pid);
    if (child.stdout) this.#follow(child.stdout);
    if (child.stderr) this.#follow(child.stderr);
    child.stdin?.on('error', () => {});
    let ended = false;
    const onEnd = (reason: string): void => {
      if (ended) return;
      ended = true;
      this.#child = undefined;
      this.#identity = undefined;
      if (!this.#stopping) this.#restart(reason, Date.now() - startedAt);
    };
    child.on('error', (error) => onEnd(error.message));
    // Its last output is read after its end; a grandchild may keep the pipe open, so the wait is limited.
    child.on('exit', (code, signal) => {
      const reason = signal ?? `exit code ${code}`;
      child.once('close', () => onEnd(reason));
      setTimeout(() => onEnd(reason), LAST_WORDS_MS);
    });
    this.#onChange();
  }

  /** Stops it for good: gracefully, and by SIGKILL after `patienceMs`. */
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
    console.log(`${this.service.name} ended (${reason})${said}. Restarting it in ${this.#backOff} ms.`);
    this.#timer = setTimeout(() => this.start(), this.#backOff);
    this.#backOff = Math.min(LONGEST_BACK_OFF_MS, this.#backOff * 2);
  }

  #follow(output: Readable): void {
    output.on('data', (chunk: Buffer) => this.#log.write(chunk));
    createInterface({ input: output }).on('line', (line) => {
      const problem = problemOf(line);
      this.#remember(problem?.fatal ? problem.text : plainText(line), problem?.fatal ?? false);
      if (problem && this.service.role === 'application' && !this.#stopping) this.#display.show(problem);
    });
  }

  /** Why it died: the last error, or else the last line of plain text, such as a wrong setting. */
  #remember(text: string, fatal: boolean): void {
    const { fatal: knowsError, at } = this.#lastWords;
    const betterKnown = !fatal && knowsError && Date.now() - at < RECENT_MS;
    if (text !== '' && !betterKnown) this.#lastWords = { text, fatal, at: Date.now() };
  }
}
