/** @throws Error if the work does not settle within `limitMs` */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits up to `limitMs`. @returns false on a time-out; a rejection counts as finished */
export const settledWithin = (limitMs: number, work: Promise<unknown>): Promise<boolean> =>
  withTimeout(limitMs, Promise.allSettled([work])).then(
    () => true,
    () => false,
  );
