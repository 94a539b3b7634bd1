import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Io } from '../../packages/command/io.ts';

/**
 * Reads a password without exposing it to the process list or the shell's history: from standard input, or on a
 * terminal by prompting twice without echo.
 *
 * @throws Error if the two inputs differ
 */
export async function readPassword(io: Io): Promise<string> {
  if (!io.stdin.isTTY) return (await text(io.stdin)).replace(/\r?\n$/, '');
  const first = await ask('Password: ', io);
  const second = await ask('Repeat the password: ', io);
  if (first !== second) throw new Error('The two passwords differ. Nothing was changed.');
  return first;
}

async function ask(question: string, { stdin, stderr }: Io): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: nowhere, terminal: true });
  const given = new AbortController();
  terminal.on('SIGINT', () => given.abort());
  stderr.write(question);
  try {
    return await terminal.question('', { signal: given.signal });
  } catch (error) {
    if (given.signal.aborted) throw new Error('Interrupted. Nothing was changed.', { cause: error });
    throw error;
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
