import { buffer } from 'node:stream/consumers';
import { decode } from './decode.ts';
import { EXIT_CODES } from './decode-in-subprocess.ts';

/** Decodes the image on standard input; the exit code says whether it worked (decode-in-subprocess.ts). */
const bytes = await buffer(process.stdin);
// Without a limit: that of the processor time ends the process.
process.exitCode = EXIT_CODES[await decode(bytes, process.argv[2] === 'animated', 0)];
