import type { InHelpers } from '../jobs/job.ts';
import type { renderVariant, VariantOrder } from './render.ts';

export interface VariantRenderer {
  /**
   * Makes a smaller version of an image in a helper process.
   *
   * @param siteId the Site of the image, which has its share of the work
   * @returns null if the image itself is to be given
   * @throws Error if it takes too long or too much memory
   */
  render(siteId: string, order: VariantOrder): Promise<Uint8Array | null>;
}

export const createVariantRenderer = (
  processes: InHelpers<{ renderVariant: typeof renderVariant }>,
): VariantRenderer => ({
  render: (siteId, order) => processes.renderVariant(siteId, order),
});
