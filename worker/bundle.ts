import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { BundleOptions, Logger, WorkflowBundle, WorkflowBundlePath } from '@temporalio/worker';

/** What is bundled: the same whether traces are collected or not (docs/decisions/0027). */
export const bundleOptions: BundleOptions = {
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  workflowInterceptorModules: [fileURLToPath(new URL('../workflows/tracing.ts', import.meta.url))],
};

/**
 * The workflows as one piece of code: the one made when the image was built, or one made now.
 *
 * @param made where the former is
 */
export const workflowBundle = async (
  made: string | undefined,
  logger: Logger,
): Promise<WorkflowBundle | WorkflowBundlePath> =>
  made === undefined ? bundleWorkflowCode({ ...bundleOptions, logger }) : { codePath: made };

// `node worker/bundle.ts FILE` makes it, for an image.
const [, program, file] = process.argv;
if (program === fileURLToPath(import.meta.url) && file !== undefined) {
  writeFileSync(file, (await bundleWorkflowCode(bundleOptions)).code);
}
