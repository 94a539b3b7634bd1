import { reasonOf } from './reason.ts';

/**
 * Runs a local activity, which is fast but invisible in the UI. When its attempts are used up, falls back to a normal
 * activity, which the UI shows as pending with its last failure and which occupies no workflow task.
 *
 * @param failing called before the fallback, with the reason
 */
export async function withFallback<Result>(
  local: () => Promise<Result>,
  normal: () => Promise<Result>,
  failing: (reason: string) => void,
): Promise<Result> {
  try {
    return await local();
  } catch (error) {
    failing(reasonOf(error));
    return normal();
  }
}
