import { z } from 'zod';
import type { FieldMessages } from '../../../../packages/base/mistakes.ts';
import { workReasons, workStatuses } from '../../../../domain/paid-work/paid-work.ts';
import { scanKinds } from '../../../../domain/seo/rules.ts';
import { id, isoTime, nullableTime, pageOf, uuid, webUrl } from '../../../../packages/base/fields.ts';
import { cursor, limit } from '../../../framework/schema/query.ts';
import { crawlWriteExample, scanExample, scanWriteExample } from './examples.ts';

/** The most articles that a scan is limited to, and the most pages of a crawl (docs/spec/rulings.md, 19). */
const ARTICLES = 500;
const PAGES = 2_000;

const members = {
  article_ids: z
    .array(uuid)
    .min(1, { error: 'must name at least one article' })
    .max(ARTICLES, { error: `must name at most ${ARTICLES} articles` })
    .describe('What is looked at; without it, all published articles.'),
  resume_scan_id: uuid.describe('A scan of this kind that ended early: what it left is looked at.'),
};

export const ScanBody = z
  .strictObject(members)
  .partial()
  .meta({ id: 'StartScan', examples: [scanWriteExample] });

export const CrawlBody = z
  .strictObject({
    ...members,
    article_ids: members.article_ids.describe(
      'Articles whose pages others should link to (`orphan-page`); without it, all published articles.',
    ),
    max_pages: z
      .int({ error: `must be an integer from 1 to ${PAGES}` })
      .min(1)
      .max(PAGES)
      .describe('How many pages are fetched at most; 200 by default.'),
    start_url: webUrl.describe(
      'Where it begins: an https URL on the Site’s domain, by default the home page. It stays on that origin: redirects to others are not followed.',
    ),
  })
  .partial()
  .meta({ id: 'StartSiteCrawl', examples: [crawlWriteExample] });

/** A resumed scan looks at the targets that the other one left, and at nothing else. */
export function examineScan(sent: Readonly<Record<string, unknown>>): FieldMessages {
  if (!('resume_scan_id' in sent) || Object.keys(sent).length === 1) return {};
  return { resume_scan_id: 'must be the only field: a resumed scan looks at what that scan left' };
}

const count = z.int().min(0);

export const ScanShape = z
  .strictObject({
    id,
    kind: z.enum(scanKinds),
    status: z.enum(workStatuses),
    reason: z.enum(workReasons).nullable().describe('Why it ended before everything was looked at.'),
    units: z
      .strictObject({
        done: count,
        total: count.nullable().describe('null as long as nobody can know, as in a crawl.'),
      })
      .meta({ id: 'ScanUnits', description: 'Of this scan alone. A unit costs one credit.' }),
    found: z
      .strictObject({ error: count, warning: count, notice: count })
      .meta({ id: 'ScanFound', description: 'Faults that this scan found, known ones as well.' }),
    credits_spent: count,
    created_at: isoTime,
    started_at: nullableTime,
    finished_at: nullableTime,
  })
  .meta({ id: 'SeoScan', examples: [scanExample] });

export const ScanPage = pageOf(ScanShape).meta({ id: 'SeoScanPage' });

export const ScanQuery = z.strictObject({
  cursor,
  limit: limit(),
  kind: z.enum(scanKinds).optional().describe('Scans of this kind.'),
});
