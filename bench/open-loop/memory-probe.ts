/**
 * Loaded into a process of the product by `--import`: answers each message with what is alive in its heap, in bytes, garbage
 * collected before (`--expose-gc`). Memory that only waits to be collected is no leak.
 */
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// It keeps nobody from ending.
process.channel?.unref();
