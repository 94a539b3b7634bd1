import { z } from 'zod';
import { ledgerKinds } from '../../domain/credits.ts';
import { id, isoTime, pageOf } from '../schema/fields.ts';
import { cursor, limit } from '../schema/query.ts';

const count = z.int().min(0);

export const UsageShape = z
  .strictObject({
    plan: z.strictObject({ key: z.string(), name: z.string(), entitlements: z.array(z.string()) }),
    period: z
      .strictObject({ start: isoTime, end: isoTime })
      .meta({ description: 'The calendar month in UTC; end is exclusive.' }),
    usage: z
      .strictObject({
        documents: count,
        media_bytes: count,
        pipeline_runs: count,
        credits_spent: count,
      })
      .meta({
        description:
          'documents (articles) and media_bytes are what the Site keeps; pipeline_runs and credits_spent are of the period.',
      }),
    limits: z
      .strictObject({ documents: count, media_bytes: count, webhook_endpoints: count })
      .meta({ description: 'What is included; documents and media beyond are paid as they are used.' }),
    credits: z.strictObject({
      balance: count.meta({ description: 'Of the organisation, shared by all Sites of the account.' }),
    }),
    spend_cap: z
      .strictObject({ limit: count, spent: count, remaining: count })
      .nullable()
      .meta({ description: "The Site's own ceiling of credits a month; null for none." }),
  })
  .meta({ id: 'Usage' });

const LedgerEntry = z
  .strictObject({
    id,
    kind: z.enum(ledgerKinds).meta({
      description:
        'grant: credits given to the organisation; charge: taken for a stage of an article; refund: that charge given back, as its stage failed or nobody wants its result.',
    }),
    amount: z.int().meta({
      description: 'Credits that the balance went up by: below zero for a charge, above zero for the others.',
    }),
    balance: z.int().meta({ description: "The organisation's balance afterwards." }),
    run_id: id.nullable(),
    article_id: id.nullable(),
    stage: z.string().nullable(),
    created_at: isoTime,
  })
  .meta({ id: 'LedgerEntry' });

export const LedgerPage = pageOf(LedgerEntry).meta({ id: 'LedgerPage' });

export const LedgerQuery = z.strictObject({ cursor, limit: limit() });
