import { buffer } from 'node:stream/consumers';
import { decodes } from './decode.ts';
import { DAMAGED } from './decode-apart.ts';

/** Decodes the image of its standard input, and says by how it ends whether that went well (decode-apart.ts). */
process.exitCode = (await decodes(await buffer(process.stdin), process.argv[2] === 'animated')) ? 0 : DAMAGED;
