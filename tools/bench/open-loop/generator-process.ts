import type { Blog } from './blogs.ts';
import { walkDeep } from './deep-pages.ts';
import { pace } from './generator.ts';
import type { Pace, Paced } from './generator.ts';
import { createTraffic } from './traffic.ts';
import type { Planned } from './mix.ts';

/** A message from the benchmark to the generator: first the Sites, then one pace after another. */
export type GeneratorOrder =
  | { readonly blogs: readonly Blog[]; readonly origins: readonly string[] }
  | { readonly pace: Pace; readonly origins: readonly string[] };

export type GeneratorReport =
  | { readonly ready: true }
  | { readonly paced: Paced }
  | { readonly failed: string };

let traffic: (() => Planned) | undefined;

/** A separate process, so that generating the load shares nothing with the servers but the machine. */
process.on('message', (order: GeneratorOrder) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies GeneratorReport),
  );
});
process.on('disconnect', () => process.exit());

async function carryOut(order: GeneratorOrder): Promise<GeneratorReport> {
  if ('blogs' in order) {
    const [great] = order.blogs;
    if (great === undefined) throw new Error('There is no Site');
    traffic = createTraffic(order.blogs, await walkDeep(great, order.origins[0] as string));
    return { ready: true };
  }
  if (traffic === undefined) throw new Error('The Sites have not been sent');
  return { paced: await pace(order.origins, traffic, order.pace) };
}
