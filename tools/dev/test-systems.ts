import { runFurtherTests } from './further-tests.ts';
import { installGhost, installWordPress } from './systems.ts';

/** Pushes articles to real systems, which are installed once, beside the product's packages. */
runFurtherTests('test/systems/jest.config.js', async () => {
  const asked = process.argv[2];
  if (asked !== 'wordpress') await installGhost();
  if (asked !== 'ghost') await installWordPress();
});
