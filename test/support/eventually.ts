import { until } from '../../dev/processes.ts';

/** Below jest's own limit, so that what did not happen is named: for what hangs, and not for what is slow. */
const HUNG_MS = 100_000;

/** Waits until something holds, however slow the machine. @throws Error that says what never did */
export async function eventually(what: string, holds: () => unknown, everyMs = 20): Promise<void> {
  const held = await until(async () => Boolean(await holds()), HUNG_MS, everyMs);
  if (!held) throw new Error(`Not within ${HUNG_MS} ms: ${what}`);
}
