import type { Build } from './valid-request.ts';

const RETURN_URL = 'https://example.com/settings/billing';

export const billingRequests: Readonly<Record<string, Build>> = {
  'GET /billing': () => ({ path: '/billing', ofOrganisation: true }),
  'GET /billing/invoices': () => ({ path: '/billing/invoices', ofOrganisation: true }),
  'POST /billing/checkout': () => ({
    path: '/billing/checkout',
    body: { pack: 'starter', quantity: 2, return_url: RETURN_URL },
    ofOrganisation: true,
    agents: '403 FORBIDDEN',
    audit: 'billing.checkout',
  }),
  'POST /billing/portal': () => ({
    path: '/billing/portal',
    body: { return_url: RETURN_URL },
    ofOrganisation: true,
    agents: '403 FORBIDDEN',
    audit: 'billing.portal',
  }),
  'PATCH /billing/auto-top-up': async ({ send }) => {
    // Makes the customer, who then has a card.
    await send('POST', '/billing/portal', { return_url: RETURN_URL });
    return {
      path: '/billing/auto-top-up',
      body: { enabled: true, below: 10, pack: 'starter', monthly_limit: 2 },
      ofOrganisation: true,
      agents: '403 FORBIDDEN',
      audit: 'billing.auto_top_up',
    };
  },
};
