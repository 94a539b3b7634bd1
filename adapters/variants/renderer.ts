import { createProcesses } from '../jobs/processes.ts';
import type { Jobs } from './jobs.ts';
import type { VariantOrder } from './render.ts';

export interface VariantRenderer {
  /**
   * Makes a smaller version of an image in a helper process.
   *
   * @param siteId the Site of the image, which has its share of the work
   * @returns null if the image itself is to be given
   * @throws Error if it takes too long or too much memory
   */
  render(siteId: string, order: VariantOrder): Promise<Uint8Array | null>;
  close(): void;
}

/** Variants that a process of the API makes at once; of a Site, one fewer. */
export const RENDERED_AT_ONCE = 2;
/** The largest images take half of it on a slow machine. */
const DEADLINE_MS = 18_000;

/** Creates the renderer of a process. Nothing waits here: its callers take turns (api/media/make-variant.ts). */
export function createVariantRenderer(): VariantRenderer {
  const processes = createProcesses<Jobs>({
    program: new URL('main.ts', import.meta.url),
    processes: RENDERED_AT_ONCE,
    processorMs: DEADLINE_MS,
    deadlineMs: DEADLINE_MS,
    longestWaitMs: DEADLINE_MS,
  });
  return {
    render: (siteId, order) => processes.run(siteId, 'renderVariant', order),
    close: () => processes.close(),
  };
}
