import { buffer } from 'node:stream/consumers';
import { decode } from './decode.ts';
import { EXIT_CODES } from './decode-in-subprocess.ts';

/** Decodes the image on standard input; the exit code says whether it worked (decode-in-subprocess.ts). */
process.exitCode = EXIT_CODES[await decode(await buffer(process.stdin), process.argv[2] === 'animated')];
