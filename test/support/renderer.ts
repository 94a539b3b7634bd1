import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { createRenderer } from '../../adapters/markdown/renderer.ts';

/** The helper processes of all APIs of a test file. On a busy machine jobs wait longer than in the product. */
export const testProcesses = createJobProcesses({ longestWaitMs: 60_000 });

export const testRenderer = createRenderer(testProcesses);
