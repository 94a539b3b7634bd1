import { z } from 'zod';
import { sql } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/statements.ts';
import { readPage } from '../../kernel/page.ts';
import type { Order, Page, PageRequest } from '../../kernel/page.ts';
import type { Site } from '../../kernel/site.ts';
import { isLeftBehind, placed, presentPlace } from '../../notes/anchors.ts';
import { verdicts } from './claim.ts';

const claimRow = z.object({
  id: z.string(),
  quote: z.string(),
  verdict: z.enum(verdicts),
  source_n: z.number().nullable(),
  evidence: z.string().nullable(),
  start: z.number().nullable(),
  near: z.number(),
  left_behind: z.boolean(),
  place: z.number(),
});

export type StoredClaim = z.infer<typeof claimRow>;

/** Those that the text does not have any more come last. */
const place = sql.fragment`coalesce(c.start, 2147483647)`;

const byPlace: Order<StoredClaim> = {
  columns: [place, sql.fragment`c.id`],
  direction: 'asc',
  positionOf: (row) => ({ key: String(row.place), id: row.id }),
};

/** A page of the claims of an article, in the order of its text. */
export const listClaims = (
  db: Queryable,
  site: Site,
  articleId: string,
  request: PageRequest,
): Promise<Page<StoredClaim>> =>
  readPage(site, `claims ${articleId}`, request, byPlace, async ({ after, order }, count) => {
    const claims = await db.any(sql.type(claimRow)`
      select c.id, c.text as quote, c.verdict, c.source_n, c.evidence, c.start, c.near, ${place} as place,
        ${isLeftBehind(sql.fragment`c`)} as left_behind
      from article_claims c
      where c.article_id = ${articleId} and c.site_id = ${site.id} and ${after} order by ${order} limit ${count}`);
    return placed(db, articleId, claims);
  });

/** A claim as the API returns it (docs/spec/rulings.md, 25). */
export const presentClaim = ({ id, quote, verdict, source_n, evidence, start }: StoredClaim) => ({
  id,
  text: quote,
  position: presentPlace({ quote, start }),
  verdict,
  source_n,
  evidence,
});
