import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';
import { survives } from './support/survive.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test.each(['api', 'worker', 'Temporal', 'PostgreSQL', 'S3'] as const)('kill -9 of %s', async (name) => {
  await survives(stack, `kill -9 of ${name}`, () => stack.product.end(name), [name]);
});
