import { inspectImage } from '../../../adapters/images/inspect-image.ts';
import type { Inspection } from '../../../adapters/images/inspect-image.ts';

/** Inspects an image of a Site. */
export const inspect = (bytes: Buffer): Promise<Inspection> => inspectImage('a-site', bytes);
