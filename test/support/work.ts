/**
 * Measures the work of this thread in milliseconds of its processor time. Unlike the time that passes, it hardly depends
 * on what else the machine does, so a test may bound it.
 *
 * @returns how much it has been since then
 */
export function measureWork(): () => number {
  const begun = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1_000;
  };
}
