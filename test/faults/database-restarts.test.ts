import { survives } from './support/survive.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test.each([
  ['fast, which breaks every connection', 'SIGINT'],
  ['immediately, with recovery from its log', 'SIGQUIT'],
] as const)('PostgreSQL restarted: %s', async (how, signal) => {
  await survives(stack, `PostgreSQL restarted, ${how}`, () => stack.product.end('PostgreSQL', signal), [
    'PostgreSQL',
  ]);
});

test('PostgreSQL unavailable for six seconds', async () => {
  await survives(stack, 'PostgreSQL unavailable', () => stack.product.awayFor('PostgreSQL', 6_000), [
    'PostgreSQL',
  ]);
});
