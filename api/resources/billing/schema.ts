import { z } from 'zod';
import { isoTime, pageOf, text, webUrl } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';
import {
  billingExample,
  checkoutExample,
  checkoutPageExample,
  invoiceExample,
  portalExample,
  portalPageExample,
  topUpExample,
} from './examples.ts';

const count = z.int().min(0);
const currency = z.string().meta({ description: 'ISO 4217, in lower case.' });
const smallestUnit = 'In the smallest unit of the currency, such as cents.';

const Overage = z
  .strictObject({
    documents: count.meta({ description: 'Beyond the included documents, as counted last.' }),
    media_bytes: count.meta({ description: 'Beyond the included media, as counted last.' }),
    amount: count.meta({ description: `What this month costs up to today. ${smallestUnit}` }),
    currency,
  })
  .meta({
    id: 'BillingOverage',
    description:
      'Storage beyond what each Site includes. It is counted daily, invoiced after the end of the month, and blocks nothing.',
  });

const TopUpShape = z
  .strictObject({
    enabled: z.boolean(),
    below: z.int().nullable().meta({ description: 'A charge that leaves less than this buys a pack.' }),
    pack: z.string().nullable(),
    monthly_limit: z.int().nullable().meta({ description: 'The most packs in a calendar month, in UTC.' }),
  })
  .meta({ id: 'AutoTopUp', examples: [topUpExample], description: 'null for what was never set.' });

export const AutoTopUpShape = TopUpShape;

export const BillingShape = z
  .strictObject({
    provider: z.enum(['stripe']).nullable().meta({ description: 'null if nothing can be bought here.' }),
    plan: z
      .strictObject({ key: z.string(), name: z.string(), entitlements: z.array(z.string()) })
      .meta({ id: 'BillingPlan', description: 'As in GET /usage.' }),
    subscription: z
      .strictObject({
        status: z.string().meta({ description: 'As Stripe names it: active, trialing, past_due, unpaid, …' }),
        current_period_end: isoTime,
        cancel_at_period_end: z.boolean(),
      })
      .meta({ id: 'BillingSubscription' })
      .nullable()
      .meta({ description: 'null without one, and after it has ended.' }),
    credits: z
      .strictObject({
        balance: z.int().meta({
          description:
            'Shared by all Sites of the organisation. Below zero after a refund or a dispute of credits that were spent.',
        }),
      })
      .meta({ id: 'BillingCredits' }),
    auto_top_up: TopUpShape,
    overage: Overage,
  })
  .meta({ id: 'Billing', examples: [billingExample] });

/** 2,000 characters, without a user or a password. */
const returnUrl = webUrl
  .refine(
    (value) => !URL.canParse(value) || (new URL(value).username === '' && new URL(value).password === ''),
    {
      error: 'must not contain a user name or a password',
    },
  )
  .describe('Where the person comes back to, done or not: an absolute http or https URL.');

const name = text(200, 1);
const QUANTITY = 100;

const sent = z.looseObject({});

/** Either a plan or packs. */
const onePurchase = rule(sent, (body) => {
  const [plan, pack, quantity] = [body['plan'], body['pack'], body['quantity']];
  if (plan === undefined && pack === undefined)
    return [{ path: ['pack'], message: 'is required, or a plan instead' }];
  if (plan !== undefined && pack !== undefined)
    return [{ path: ['pack'], message: 'cannot be bought together with a plan: send one of both' }];
  if (plan !== undefined && quantity !== undefined)
    return [{ path: ['quantity'], message: 'is for packs: leave it out with a plan' }];
  return [];
});

export const CheckoutBody = z
  .strictObject({
    plan: name.optional().describe('The name of a plan that is sold.'),
    pack: name.optional().describe('The name of a pack of credits.'),
    quantity: z
      .int()
      .min(1, 'must be 1 at least')
      .max(QUANTITY, `must be ${QUANTITY} at most`)
      .optional()
      .describe('How many packs; 1 by default.'),
    return_url: returnUrl,
  })
  .check(onePurchase)
  .meta({ id: 'CheckoutRequest', examples: [checkoutExample] });

export const CheckoutShape = z
  .strictObject({ url: z.url().meta({ description: 'Send the person there.' }), expires_at: isoTime })
  .meta({ id: 'Checkout', examples: [checkoutPageExample] });

export const PortalBody = z
  .strictObject({ return_url: returnUrl })
  .meta({ id: 'PortalRequest', examples: [portalExample] });

export const PortalShape = z
  .strictObject({
    url: z.url().meta({ description: 'Send the person there soon. Whoever has it can use the portal.' }),
  })
  .meta({ id: 'Portal', examples: [portalPageExample] });

const MOST_CREDITS = 1_000_000_000;
const MOST_PACKS = 1_000;

export const AutoTopUpBody = z
  .strictObject({
    enabled: z.boolean().optional(),
    below: z
      .int()
      .min(0, 'must be 0 at least')
      .max(MOST_CREDITS, `must be ${MOST_CREDITS} at most`)
      .optional()
      .describe('A charge that leaves less than this buys a pack.'),
    pack: name.optional().describe('The name of a pack of credits.'),
    monthly_limit: z
      .int()
      .min(1, 'must be 1 at least')
      .max(MOST_PACKS, `must be ${MOST_PACKS} at most`)
      .optional()
      .describe('The most packs in a calendar month, in UTC.'),
  })
  .meta({ id: 'AutoTopUpWrite', examples: [topUpExample] });

const InvoiceShape = z
  .strictObject({
    id: z.string(),
    number: z.string().nullable(),
    status: z.string().meta({ description: 'draft, open, paid, uncollectible or void.' }),
    amount: z.int().meta({ description: smallestUnit }),
    currency,
    created_at: isoTime,
    url: z.url().nullable(),
    pdf_url: z.url().nullable(),
  })
  .meta({ id: 'Invoice', examples: [invoiceExample] });

export const InvoicePage = pageOf(InvoiceShape).meta({ id: 'InvoicePage' });
