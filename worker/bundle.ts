import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { BundleOptions, Logger, WorkflowBundle, WorkflowBundlePath } from '@temporalio/worker';

/** The same with and without a trace collector (docs/decisions/0027). */
export const bundleOptions: BundleOptions = {
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  payloadConverterPath: fileURLToPath(new URL('../workflows/payload-converter.ts', import.meta.url)),
  workflowInterceptorModules: ['tracing', 'undecodable-start'].map((name) =>
    fileURLToPath(new URL(`../workflows/${name}.ts`, import.meta.url)),
  ),
  // Stack traces need its lines and names only. With the sources, half of the bundle would be parsed by each worker of a
  // process, twice, and kept by each of its threads.
  webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
};

/**
 * The bundled workflow code: built with the image, or built now.
 *
 * @param made the path of the bundle built with the image
 */
export const workflowBundle = async (
  made: string | undefined,
  logger: Logger,
): Promise<WorkflowBundle | WorkflowBundlePath> =>
  made === undefined ? bundleWorkflowCode({ ...bundleOptions, logger }) : { codePath: made };

// `node worker/bundle.ts FILE` builds the bundle for an image.
const [, program, file] = process.argv;
if (program === fileURLToPath(import.meta.url) && file !== undefined) {
  writeFileSync(file, (await bundleWorkflowCode(bundleOptions)).code);
}
