/** Limits concurrent work; further calls wait in order. */
export function createSlots(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let inFlight = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (inFlight >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else inFlight += 1;
    try {
      return await work();
    } finally {
      // A freed slot goes straight to the next waiting call.
      const next = waiting.shift();
      if (next === undefined) inFlight -= 1;
      else next();
    }
  };
}
