import { until } from '../../tools/dev/processes.ts';

/** Below jest's own limit, so that the failed condition is named. For hanging code, not for slow code. */
const HUNG_MS = 100_000;

/** Waits until a condition holds, even on a slow machine. @throws Error naming the condition */
export async function eventually(what: string, holds: () => unknown, everyMs = 20): Promise<void> {
  const held = await until(async () => Boolean(await holds()), HUNG_MS, everyMs);
  if (!held) throw new Error(`Not within ${HUNG_MS} ms: ${what}`);
}
