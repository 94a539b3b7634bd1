import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { WorkflowBundle, WorkflowBundlePath } from '@temporalio/worker';

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/**
 * The workflows as one piece of code: the one made when the image was built, or one made now.
 *
 * @param made where the former is
 */
export const workflowBundle = async (
  made: string | undefined,
): Promise<WorkflowBundle | WorkflowBundlePath> =>
  made === undefined ? bundleWorkflowCode({ workflowsPath }) : { codePath: made };

// `node worker/bundle.ts FILE` makes it, for an image.
const [, program, file] = process.argv;
if (program === fileURLToPath(import.meta.url) && file !== undefined) {
  writeFileSync(file, (await bundleWorkflowCode({ workflowsPath })).code);
}
