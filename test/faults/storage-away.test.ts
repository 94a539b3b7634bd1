import { setTimeout as sleep } from 'node:timers/promises';
import { survives } from './support/survive.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test('S3 unavailable: requests without media still work', async () => {
  await survives(stack, 'S3 unavailable', () => stack.product.awayFor('S3', 4_000), ['S3']);
});

test('S3 that accepts connections and never answers', async () => {
  await survives(stack, 'S3 hangs', async () => {
    const pid = stack.product.pid('S3') as number;
    process.kill(pid, 'SIGSTOP');
    await sleep(6_000);
    process.kill(pid, 'SIGCONT');
  });
});
