import { paced, site } from './pace.ts';
import type { Figure } from './report.ts';
import type { WebhookStack } from './stack.ts';

/** Workers beside the one that every part has. */
const MORE = 2;

/** The same events to one worker and to three: their delays, and their cost. */
export async function measureWorkers(
  stack: WebhookStack,
  measureMs: number,
): Promise<Omit<Figure, 'part'>[]> {
  const one = await round(stack, 5, measureMs);
  const end = await stack.addWorkers(MORE);
  const three = await round(stack, 6, measureMs);
  await end();
  const lost = one.lost + three.lost;
  return [
    { title: 'one worker, p50', value: one.p50, unit: 'ms' },
    { title: 'p99', value: one.p99, unit: 'ms' },
    { title: 'claims an event', value: one.claims, unit: '' },
    { title: 'Temporal actions an event', value: one.actions, unit: '' },
    { title: 'three workers, p50', value: three.p50, unit: 'ms' },
    { title: 'p99', value: three.p99, unit: 'ms' },
    { title: 'p99 against one', value: three.p99 / one.p99, unit: '×', goal: '<= 1.5' },
    { title: 'claims an event', value: three.claims, unit: '', goal: '<= 1.1' },
    { title: 'signals an event', value: three.signals, unit: '', goal: '<= 1' },
    { title: 'Temporal actions an event', value: three.actions, unit: '', goal: 'as with one' },
    { title: 'lost', value: lost, unit: `of ${one.events + three.events}`, goal: '0', failed: lost > 0 },
  ];
}

/** @param index of the Site: each round has its own, so that no event goes to two endpoints */
async function round(stack: WebhookStack, index: number, measureMs: number) {
  const look = async () => ({
    claims: await stack.count('presswork_webhook_claims_total'),
    signals: await stack.count('presswork_webhook_signals_total'),
    actions: (await stack.actions.count()).actions,
  });
  const before = await look();
  const outcome = await paced(stack, site(stack.seeded, index), 0, measureMs);
  const after = await look();
  const each = (name: keyof typeof before): number =>
    (after[name] - before[name]) / Math.max(1, outcome.events);
  return { ...outcome, claims: each('claims'), signals: each('signals'), actions: each('actions') };
}
