import { z } from 'zod';
import { ledgerKinds } from '../../../domain/usage/credits.ts';
import { id, isoTime, pageOf } from '../../../packages/base/fields.ts';
import { entryExample, usageExample } from './examples.ts';

const count = z.int().min(0);

export const UsageShape = z
  .strictObject({
    plan: z
      .strictObject({ key: z.string(), name: z.string(), entitlements: z.array(z.string()) })
      .meta({ id: 'UsagePlan' }),
    period: z
      .strictObject({ start: isoTime, end: isoTime })
      .meta({ id: 'UsagePeriod', description: 'The calendar month in UTC; end is exclusive.' }),
    usage: z
      .strictObject({
        documents: count,
        media_bytes: count,
        pipeline_runs: count,
        credits_spent: count,
      })
      .meta({
        id: 'UsageFigures',
        description:
          'documents (articles) and media_bytes are current totals of the Site; pipeline_runs and credits_spent are for the period.',
      }),
    limits: z.strictObject({ documents: count, media_bytes: count, webhook_endpoints: count }).meta({
      id: 'UsageLimits',
      description: 'The included amounts; additional documents and media are billed by use.',
    }),
    credits: z
      .strictObject({
        balance: z.int().meta({
          description:
            'The balance of the organisation, shared by all its Sites. Below zero after a refund or a dispute of credits that were spent.',
        }),
      })
      .meta({ id: 'UsageCredits' }),
    spend_cap: z
      .strictObject({ limit: count, spent: count, remaining: count })
      .meta({ id: 'SpendCap' })
      .nullable()
      .meta({ description: 'The monthly credit limit of the Site; null for none.' }),
  })
  .meta({ id: 'Usage', examples: [usageExample] });

const LedgerEntry = z
  .strictObject({
    id,
    kind: z.enum(ledgerKinds).meta({
      description:
        'grant: credits added to the organisation; charge: credits for a stage of an article, or a unit of a scan; refund: a charge returned because its stage or unit failed or its result was discarded; purchase: credits that were bought; refund_out and dispute: credits that a refund or a dispute of their payment took, or gave back.',
    }),
    amount: z.int().meta({
      description:
        'The change of the balance: negative for a charge, positive for a grant, a refund and a purchase.',
    }),
    balance: z.int().meta({ description: 'The balance of the organisation after the change.' }),
    run_id: id.nullable(),
    article_id: id.nullable(),
    stage: z.string().nullable(),
    scan_id: id.nullable().meta({ description: 'The scan whose unit was charged or refunded.' }),
    payment_id: z.string().nullable().meta({ description: 'The payment that the line comes from.' }),
    created_at: isoTime,
  })
  .meta({ id: 'LedgerEntry', examples: [entryExample] });

export const LedgerPage = pageOf(LedgerEntry).meta({ id: 'LedgerPage' });
