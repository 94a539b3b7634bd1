import { createVariantRenderer } from '../../adapters/variants/renderer.ts';
import { testProcesses } from './renderer.ts';

/** The renderer of all APIs of a test file. Its helper processes end by themselves. */
export const testVariants = createVariantRenderer(testProcesses);
