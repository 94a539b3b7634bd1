import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createSlots } from './slots.ts';

/** What a decoder may hold there: bytes, by the figures of docs/decisions/0021. */
export const APART_LIMIT = 600_000_000;

/** How the process ends where the image does not decode. */
export const DAMAGED = 3;

const LONGEST_MS = 30_000;
/**
 * What the system lets the process write to in all, in KiB, so that a decoder that takes more than was reckoned has an
 * error. Node sets aside 640 MB before it does anything, of which it uses a tenth.
 */
const DATA_KIBIBYTES = 1_400_000;

const program = fileURLToPath(new URL('decode-apart-main.ts', import.meta.url));
/** Where the system must kill something for memory, it takes this first; where it cannot be told so, it goes on. */
const script = `ulimit -d ${DATA_KIBIBYTES}; echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"`;

/** The process was killed, for its memory or its time, or could not be started: nothing is known of the image. */
export class DecoderUnavailable extends Error {
  override name = 'DecoderUnavailable';
}

const inTurn = createSlots(1);

/**
 * Decodes an image that takes more memory than a request may, in a process of its own, one at a time. That process
 * knows no secret: it has no environment.
 *
 * @throws DecoderUnavailable
 */
export const decodesApart = (bytes: Buffer, animated: boolean): Promise<boolean> =>
  inTurn(async () => {
    const args = ['-c', script, process.execPath, '--max-old-space-size=64', program];
    const child = spawn('/bin/sh', animated ? [...args, 'animated'] : args, {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    // One that ends before it has read everything says so by how it ends.
    const fed = finished(child.stdin).catch(() => undefined);
    child.stdin.end(bytes);
    const [code, signal] = await end(child);
    await fed;
    if (code === 0 || code === DAMAGED) return code === 0;
    throw new DecoderUnavailable(`The process that decodes large images ended with ${signal ?? code}`);
  });

async function end(child: ReturnType<typeof spawn>): Promise<readonly [number | null, string | null]> {
  try {
    return (await once(child, 'close')) as [number | null, string | null];
  } catch (error) {
    throw new DecoderUnavailable('The process that decodes large images did not start', { cause: error });
  }
}
