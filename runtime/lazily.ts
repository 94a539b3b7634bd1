import { LOAD_ONLY } from './run-program.ts';

/**
 * A module that is loaded when it is first needed. With --load-only it is loaded at once, so that a build compiles it, and
 * fails if it cannot be loaded.
 */
export function lazily<Module>(load: () => Promise<Module>): () => Promise<Module> {
  if (process.argv.includes(LOAD_ONLY)) void load();
  return load;
}
