import { withProvider } from '../../resources/billing/purchase.ts';
import { dashboardRoute, requireMembership, requirePermission } from './route.ts';

/** The offers, with prices: the API takes the names, and an operator sets them. */
const offers = dashboardRoute({
  method: 'GET',
  path: '/sites/:site/offers',
  async handle(asked) {
    requirePermission(requireMembership(asked), 'billing.manage');
    const { ports } = asked;
    const { payments } = ports;
    if (payments === null) return { status: 200, data: { packs: [], plans: [] } };
    const { catalogue, provider } = payments;
    const priced = (names: ReadonlyMap<string, string>) =>
      withProvider(ports, () =>
        Promise.all(
          [...names].map(async ([name, priceId]) => {
            const price = await provider.readPrice(priceId);
            if (price === null) return [];
            return [{ name, amount: price.unitAmount, currency: price.currency, credits: price.credits }];
          }),
        ),
      );
    const [packs, plans] = await Promise.all([priced(catalogue.packs), priced(catalogue.plans)]);
    return {
      status: 200,
      // A pack whose price says no credits cannot be bought.
      data: { packs: packs.flat().filter(({ credits }) => credits !== null), plans: plans.flat() },
    };
  },
});

export const offerRoutes = [offers];
