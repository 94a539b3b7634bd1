import { articleColumns, articleRow } from '../../domain/articles/row.ts';
import { sql } from '../../db/sql.ts';
import { checkClaims } from '../../domain/pipeline/claims/check.ts';
import type { FoundClaim, Material } from '../../domain/pipeline/claims/claim.ts';
import { saveClaims } from '../../domain/pipeline/claims/store.ts';
import type { TestApi } from './api.ts';

/** Stores what a model says that an article claims, as the stage improve does. */
export async function claim(
  { db }: TestApi,
  siteId: string,
  articleId: string,
  sources: Material['sources'],
  found: readonly FoundClaim[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const article = await tx.one(sql.type(articleRow)`
      select ${articleColumns} from articles a where a.id = ${articleId}`);
    const content = article.content ?? '';
    const claims = checkClaims({ content, sources }, found);
    await saveClaims(tx, siteId, article, article, { of: content, claims });
  });
}

export const supported = (text: string, source_n: number, evidence: string): FoundClaim => ({
  text,
  verdict: 'supported',
  source_n,
  evidence,
});

export const unsupported = (text: string): FoundClaim => ({
  text,
  verdict: 'unsupported',
  source_n: null,
  evidence: null,
});
