import { z } from 'zod';
import { sql } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/statements.ts';
import type { ScanKindName } from '../rules.ts';

const findingRow = z.object({
  url: z.string(),
  article_id: z.string().nullable(),
  backlink_id: z.string().nullable(),
});

/** The subject of an open finding. */
export type OpenFinding = z.infer<typeof findingRow>;

const MOST = 20_000;

/** Open findings of a kind, to fix those whose page or link is no longer there. */
export const readOpenFindings = (
  db: Queryable,
  siteId: string,
  kind: ScanKindName,
): Promise<readonly OpenFinding[]> =>
  db.any(sql.type(findingRow)`
    select distinct f.url, f.article_id, f.evidence ->> 'backlink_id' as backlink_id from seo_findings f
    where f.site_id = ${siteId} and f.kind = ${kind} and f.status = 'open' and f.url is not null
    limit ${MOST}`);
