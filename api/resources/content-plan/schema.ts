import { z } from 'zod';
import { planOrders } from '../../../domain/content-plan/list.ts';
import { clientStatuses, planStatuses } from '../../../domain/content-plan/plan-item.ts';
import { date, id, isoTime, pageOf, text, uuid, webUrl } from '../../../packages/base/fields.ts';
import { cursor, limit, search, webSearch } from '../../framework/schema/query.ts';
import { fewSources, sourceUrls } from '../../framework/schema/source-urls.ts';
import { planItemExample, planItemUpdateExample, planItemWriteExample } from './examples.ts';

const KEYWORDS = 100;

const title = text(300, 1);

/** The members that a client may write, besides the title. Lengths are those of articles (docs/spec/rulings.md, 4 and 19). */
const written = {
  notes: text(5_000)
    .nullable()
    .describe('What the text should say, and what to mind: for people, and for the pipeline.'),
  keywords: z
    .array(text(5_000))
    .max(KEYWORDS)
    .nullable()
    .transform((value) => value ?? []),
  source_url: webUrl.nullable().describe('A page that the pipeline takes facts from.'),
  source_urls: sourceUrls.nullable().transform((value) => value ?? []),
  format_id: uuid.nullable(),
  category_id: uuid.nullable(),
  author_id: uuid.nullable(),
  target_date: date
    .nullable()
    .describe('When it should be published. Nothing happens at that date by itself.'),
  status: z.enum(clientStatuses),
};

export const PlanItemWrite = z
  .strictObject({ ...z.strictObject(written).partial().shape, title })
  .check(fewSources)
  .meta({ id: 'PlanItemWrite', examples: [planItemWriteExample] });

export const PlanItemUpdate = z
  .strictObject({
    ...written,
    title,
    after: uuid
      .nullable()
      .describe('Moves the item behind this one, or with null to the top of the plan. It is not stored.'),
  })
  .partial()
  .meta({ id: 'PlanItemUpdate', examples: [planItemUpdateExample] });

export const PlanItemShape = z
  .strictObject({
    id,
    title: z.string(),
    notes: z.string().nullable(),
    keywords: z.array(z.string()),
    source_url: z.string().nullable(),
    source_urls: z.array(z.string()),
    format_id: id.nullable(),
    category_id: id.nullable(),
    author_id: id.nullable(),
    target_date: z.string().meta({ format: 'date' }).nullable(),
    status: z
      .enum(planStatuses)
      .describe('`started`: a run took it. `done`: its article was published. The service sets these two.'),
    rank: z.string().describe('Its place in the plan: ranks sort as texts, byte by byte.'),
    article_id: id.nullable().describe('The article that a run made of it; null once that is deleted.'),
    run_id: id.nullable().describe('The run that took it.'),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'PlanItem', examples: [planItemExample] });

export const PlanItemPage = pageOf(PlanItemShape).meta({ id: 'PlanItemPage' });

export const PlanQuery = z.strictObject({
  cursor,
  limit: limit(),
  order: z
    .enum(planOrders)
    .default('rank')
    .describe('By `rank`, which is the order of the plan, or by `target_date`; items without one come last.'),
  status: z.array(z.enum(planStatuses)).optional().describe('Items with one of these statuses.'),
  q: search(`Items with this in title, notes or keywords. ${webSearch}`),
});
