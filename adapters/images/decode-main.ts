import { buffer } from 'node:stream/consumers';
import { decodes } from './decode.ts';
import { DAMAGED } from './decode-in-subprocess.ts';

/** Decodes the image on standard input; the exit code says whether it worked (decode-in-subprocess.ts). */
process.exitCode = (await decodes(await buffer(process.stdin), process.argv[2] === 'animated')) ? 0 : DAMAGED;
