/** A generator of numbers from 0 to 1, the same in every run. */
export type Random = () => number;

/** Park and Miller's generator: good enough to spread traffic. */
export function createRandom(seed = 1): Random {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** A random item; all are equally likely. @throws Error if there are none */
export function anyOf<T>(items: readonly T[], random: Random): T {
  if (items.length === 0) throw new Error('There is nothing to choose from');
  return items[Math.min(items.length - 1, Math.floor(random() * items.length))] as T;
}

/** Returns the items in turn, each as often as its share, spread as evenly as possible. */
export function byShare<T extends { readonly share: number }>(items: readonly T[]): () => T {
  const total = items.reduce((sum, { share }) => sum + share, 0);
  const waiting = items.map((item) => ({ item, credit: 0 }));
  return () => {
    for (const each of waiting) each.credit += each.item.share;
    const next = waiting.reduce((most, each) => (each.credit > most.credit ? each : most));
    next.credit -= total;
    return next.item;
  };
}
