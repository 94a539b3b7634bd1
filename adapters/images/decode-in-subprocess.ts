import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { LONGEST_SECONDS } from './decoding.ts';
import type { Decoding } from './decoding.ts';
import { createTurns } from './turns.ts';
import { tenantOf } from '../../domain/organisations/tenant.ts';

export const EXIT_CODES: Readonly<Record<Decoding, number>> = { complete: 0, damaged: 3, 'too slow': 4 };

/** Limit of the process on a busy machine, in seconds. */
const PATIENCE_SECONDS = 120;

/**
 * Limit of the process's writable memory, in KiB, so that a decoder that needs more than calculated gets an error. Node
 * itself reserves 640 MB at the start and uses a tenth of it.
 */
const DATA_KIBIBYTES = 1_400_000;

const program = fileURLToPath(new URL('decode-main.ts', import.meta.url));
/**
 * Limits the processor time, and makes the process the first to be killed if memory runs out; that is ignored if the
 * system does not support it.
 */
const script = (processorSeconds: number): string =>
  `ulimit -d ${DATA_KIBIBYTES}; ulimit -S -t ${processorSeconds}; echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"`;

/**
 * The process did not start or was killed, as when memory runs out, or the machine was too busy. This says nothing about
 * the image.
 */
export class DecoderUnavailable extends Error {
  override name = 'DecoderUnavailable';
}

const oneAtATime = createTurns(1);

/**
 * Decodes an image that needs more memory than a request may use, in a subprocess, one at a time. The subprocess has no
 * environment and therefore no secrets. An image is too slow if it takes many times the processor time of the largest
 * ones: it would do so on every machine.
 *
 * @param siteId the Site of the image: organisations take turns
 * @throws DecoderUnavailable; NoPermit if too many images wait, or one for too long
 */
export const decodeInSubprocess = (
  siteId: string,
  bytes: Buffer,
  animated: boolean,
  processorSeconds: number = LONGEST_SECONDS,
  patienceSeconds: number = PATIENCE_SECONDS,
): Promise<Decoding> =>
  oneAtATime.run(tenantOf(siteId), async () => {
    const args = ['-c', script(processorSeconds), process.execPath, '--max-old-space-size=64', program];
    const child = spawn('/bin/sh', animated ? [...args, 'animated'] : args, {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: patienceSeconds * 1_000,
      killSignal: 'SIGKILL',
    });
    // If the process ends before it has read everything, its exit code says why.
    const fed = finished(child.stdin).catch(() => undefined);
    child.stdin.end(bytes);
    const [code, signal] = await end(child);
    await fed;
    for (const decoding of ['complete', 'damaged', 'too slow'] as const) {
      if (code === EXIT_CODES[decoding]) return decoding;
    }
    if (signal === 'SIGXCPU') return 'too slow';
    throw new DecoderUnavailable(`The process that decodes large images ended with ${signal ?? code}`);
  });

async function end(child: ReturnType<typeof spawn>): Promise<readonly [number | null, string | null]> {
  try {
    return (await once(child, 'close')) as [number | null, string | null];
  } catch (error) {
    throw new DecoderUnavailable('The process that decodes large images did not start', { cause: error });
  }
}
