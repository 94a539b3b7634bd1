import { createRenderer } from '../../adapters/markdown/renderer.ts';

/** The renderer of all APIs of a test file. A busy machine takes longer than the product allows. */
export const testRenderer = createRenderer({ limitMs: 5_000 });
