import { SettingError } from './settings.ts';

/** How long a start waits for the database to answer, in milliseconds. */
const START_MS = 3_000;
const RETRY_MS = 1_000;

/**
 * Checks that the database can be used with these settings. If it is unavailable, the program starts anyway and ends
 * later if a setting turns out to be wrong.
 *
 * @param faultOf asks the database; resolves to the line that names the wrong setting, or to null
 * @param isAway whether an error of `faultOf` is worth a retry
 * @returns a promise that rejects if a setting later turns out to be wrong
 * @throws SettingError if a setting is wrong
 */
export async function proveDatabase(
  faultOf: () => Promise<string | null>,
  isAway: (error: unknown) => boolean,
): Promise<{ readonly broken: Promise<never> }> {
  const proved = (async () => {
    for (;;) {
      try {
        const fault = await faultOf();
        if (fault === null) return;
        throw new SettingError(fault);
      } catch (error) {
        if (!isAway(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  })();
  await Promise.race([proved, new Promise((resolve) => setTimeout(resolve, START_MS).unref())]);
  return { broken: proved.then(() => new Promise<never>(() => {})) };
}
