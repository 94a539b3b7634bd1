import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createSlots } from '../storage/slots.ts';

/** Exit code of the process if the image does not decode. */
export const DAMAGED = 3;

const LONGEST_MS = 30_000;
/**
 * Limit of the process's writable memory, in KiB, so that a decoder that needs more than calculated gets an error. Node
 * itself reserves 640 MB at the start and uses a tenth of it.
 */
const DATA_KIBIBYTES = 1_400_000;

const program = fileURLToPath(new URL('decode-main.ts', import.meta.url));
/** Makes the process the first to be killed if memory runs out; ignored if the system does not support it. */
const script = `ulimit -d ${DATA_KIBIBYTES}; echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"`;

/** The process was killed for its memory or time, or did not start. This says nothing about the image. */
export class DecoderUnavailable extends Error {
  override name = 'DecoderUnavailable';
}

const oneAtATime = createSlots(1);

/**
 * Decodes an image that needs more memory than a request may use, in a subprocess, one at a time. The subprocess has no
 * environment and therefore no secrets.
 *
 * @returns whether every pixel decodes
 * @throws DecoderUnavailable
 */
export const decodesInSubprocess = (bytes: Buffer, animated: boolean): Promise<boolean> =>
  oneAtATime(async () => {
    const args = ['-c', script, process.execPath, '--max-old-space-size=64', program];
    const child = spawn('/bin/sh', animated ? [...args, 'animated'] : args, {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    });
    // If the process ends before it has read everything, its exit code says why.
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
