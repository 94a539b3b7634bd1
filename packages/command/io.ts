import type { Readable, Writable } from 'node:stream';
import type { Interrupted } from './interruption.ts';

/** The parts of its process that a command uses. Given, so that a command can also be run in the process of its caller. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  /** A terminal is one that says so; a stream without a file has no `fd`. */
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Calls the listener at Ctrl-C and SIGTERM. Without a listener, they end the process. */
  readonly onInterrupt: (listener: (reason: Interrupted) => void) => void;
}

export const printLine = (stream: Writable, line: string): void => void stream.write(`${line}\n`);
