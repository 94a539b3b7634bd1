import { PerformanceObserver, constants } from 'node:perf_hooks';
import { createBatcher } from '../../../db/throughput/batcher.ts';

// A program: sends 96,000 requests through a batcher, 16 at a time, and prints how often the whole heap was collected
// meanwhile. Each answer has a text of its own, as a row has.

const CLIENTS = 16;
const REQUESTS_EACH = 6_000;

let collections = 0;
new PerformanceObserver((seen) => {
  // The types of Node's own entries lack their `detail`.
  for (const entry of seen.getEntries() as unknown as readonly {
    readonly detail: { readonly kind: number };
  }[])
    if (entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
}).observe({ entryTypes: ['gc'] });

const text = Buffer.alloc(2_000, 'text ');
const ask = createBatcher(
  async (asked: readonly null[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    return asked.map(() => ({ text: text.toString('latin1') }));
  },
  { most: 32 },
);

const client = async (): Promise<void> => {
  for (let sent = 0; sent < REQUESTS_EACH; sent += 1) await ask(null);
};
await Promise.all(Array.from({ length: CLIENTS }, client));
// The observer is told a moment later.
await new Promise((resolve) => setTimeout(resolve, 50));
console.log(collections);
