import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/worker';
import { createPayloadCodec } from '../adapters/temporal/payload-codec.ts';
import type { Settings } from '../runtime/settings.ts';

/** How payloads and failures are stored in Temporal: encrypted if there is a key for it (docs/spec/rulings.md, 22). */
export const dataConverterOf = ({ TEMPORAL_ENCRYPTION_KEY: keys }: Settings): DataConverter =>
  keys === undefined
    ? {}
    : {
        payloadCodecs: [createPayloadCodec(keys)],
        failureConverterPath: fileURLToPath(new URL('failure-converter.ts', import.meta.url)),
      };
