/** Examples of the reference; tests hold them against the schemas. */
export const topUpExample = { enabled: true, below: 100, pack: 'starter', monthly_limit: 5 };

export const billingExample = {
  provider: 'stripe',
  plan: {
    key: 'pro',
    name: 'Pro',
    entitlements: ['content', 'media', 'taxonomy', 'webhooks', 'comments', 'pipeline'],
  },
  subscription: {
    status: 'active',
    current_period_end: '2026-04-01T09:00:00.000Z',
    cancel_at_period_end: false,
  },
  credits: { balance: 943 },
  auto_top_up: topUpExample,
  overage: { documents: 1_200, media_bytes: 0, amount: 240, currency: 'usd' },
};

export const checkoutExample = {
  pack: 'starter',
  quantity: 2,
  return_url: 'https://example.com/settings/billing',
};

export const checkoutPageExample = {
  url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3',
  expires_at: '2026-03-02T09:00:00.000Z',
};

export const portalExample = { return_url: 'https://example.com/settings/billing' };

export const portalPageExample = { url: 'https://billing.stripe.com/p/session/live_a1b2c3' };

export const invoiceExample = {
  id: 'in_1QxYzA2eZvKYlo2C',
  number: 'A1B2C3D4-0001',
  status: 'paid',
  amount: 2_900,
  currency: 'usd',
  created_at: '2026-03-01T09:00:00.000Z',
  url: 'https://invoice.stripe.com/i/acct_1/live_a1b2c3',
  pdf_url: 'https://pay.stripe.com/invoice/acct_1/live_a1b2c3/pdf',
};
