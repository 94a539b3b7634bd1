/**
 * Loaded into a process of the product by `--import`. Answers each message with the live bytes of the heap, after a
 * garbage collection (`--expose-gc`): memory that is about to be collected is no leak.
 */
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// Does not keep the process running.
process.channel?.unref();
