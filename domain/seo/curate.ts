import { statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import { createPlanItem } from '../content-plan/create.ts';
import type { PlanItem } from '../content-plan/plan-item.ts';
import { getArticleTitle } from '../articles/title.ts';
import { getFinding, getFindingForUpdate } from './finding.ts';
import type { Finding } from './finding.ts';

/**
 * Dismisses a finding, or opens it again. A scan opens or fixes open ones only.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function changeFinding(
  change: Change,
  id: string,
  status: 'open' | 'dismissed',
): Promise<Finding> {
  const { tx, site } = change;
  const before = await getFindingForUpdate(tx, site.id, id);
  if (before.status === status) return before;
  await tx.exec(statement`update seo_findings set status = ${status}, fixed_at = null where id = ${id}`);
  const after = await getFinding(tx, site.id, id);
  recordChange(
    change,
    'seo_finding.update',
    { type: 'seo_finding', id },
    differences(before, after, ['status']),
  );
  return after;
}

/** The most characters of a plan item's title and notes. */
const TITLE = 300;
const NOTES = 5_000;

/**
 * Adds an item to the content plan that says what is to be mended.
 *
 * @throws ServiceError NOT_FOUND; CONFLICT if the plan is full
 */
export async function planFinding(change: Change, id: string): Promise<PlanItem> {
  const { tx, site } = change;
  const finding = await getFinding(tx, site.id, id);
  const { rule, article_id: articleId, url } = finding;
  const title = articleId === null ? null : await getArticleTitle(tx, site.id, articleId);
  const about = title ?? url;
  return createPlanItem(change, {
    title: cut(about === null ? nameOf(rule) : `${nameOf(rule)}: ${about}`, TITLE),
    notes: cut(
      [url, `Found by the scan ${finding.kind}: ${rule}.`, JSON.stringify(finding.evidence, null, 2)]
        .filter((line) => line !== null)
        .join('\n'),
      NOTES,
    ),
  });
}

/** `thin-content` as a title has it. */
const nameOf = (rule: string): string =>
  `${rule.charAt(0).toUpperCase()}${rule.slice(1).replaceAll('-', ' ')}`;

const cut = (text: string, length: number): string => [...text].slice(0, length).join('');
