import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Reads a password without exposing it to the process list or the shell's history: from standard input, or on a
 * terminal by prompting twice without echo.
 *
 * @throws Error if the two inputs differ
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const first = await ask('Password: ');
  const second = await ask('Repeat the password: ');
  if (first !== second) throw new Error('The two passwords differ. Nothing was changed.');
  return first;
}

async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const given = new AbortController();
  terminal.on('SIGINT', () => given.abort());
  process.stderr.write(question);
  try {
    return await terminal.question('', { signal: given.signal });
  } catch (error) {
    if (given.signal.aborted) throw new Error('Interrupted. Nothing was changed.', { cause: error });
    throw error;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
