import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Reads a password where neither the process list nor the shell's history shows it: from standard input, or on a
 * terminal by asking twice without showing what is typed.
 *
 * @throws Error where the two differ
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const first = await ask('Password: ');
  const second = await ask('Once more: ');
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
    if (given.signal.aborted) throw new Error('Stopped. Nothing was changed.', { cause: error });
    throw error;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
