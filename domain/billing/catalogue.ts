import { plans } from '../kernel/plans.ts';
import type { Plan } from '../kernel/plans.ts';

/** The prices of storage beyond the included one: per 1,000 documents, and per 10⁹ bytes of media, a month. */
const overageNames = { documents: 'overage_documents', mediaBytes: 'overage_media' } as const;

const isPlan = (name: string): name is Plan => Object.hasOwn(plans, name);

/** The offers, by the names of the setting STRIPE_PRICES, with the ids of the prices. */
export class Catalogue {
  readonly packs: ReadonlyMap<string, string>;
  readonly plans: ReadonlyMap<Plan, string>;
  readonly overage: { readonly documents: string | null; readonly mediaBytes: string | null };

  constructor(prices: Readonly<Record<string, string>>) {
    const entries = Object.entries(prices);
    const reserved: readonly string[] = Object.values(overageNames);
    this.plans = new Map(entries.flatMap(([name, id]) => (isPlan(name) ? [[name, id] as const] : [])));
    this.packs = new Map(entries.filter(([name]) => !isPlan(name) && !reserved.includes(name)));
    this.overage = {
      documents: prices[overageNames.documents] ?? null,
      mediaBytes: prices[overageNames.mediaBytes] ?? null,
    };
  }

  /** The plan that one of these prices is for; null if none is. */
  planOf(priceIds: readonly string[]): Plan | null {
    for (const [plan, id] of this.plans) if (priceIds.includes(id)) return plan;
    return null;
  }
}
