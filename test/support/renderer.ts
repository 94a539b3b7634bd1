import { createRenderer } from '../../adapters/markdown/renderer.ts';

/** The renderer of all APIs of a test file. On a busy machine texts wait longer than in the product. */
export const testRenderer = createRenderer({ longestWaitMs: 60_000 });
