import { z } from 'zod';
import { findingStatuses } from '../../../../domain/seo/finding.ts';
import { ruleNames, scanKinds, severities } from '../../../../domain/seo/rules.ts';
import { id, isoTime, nullableTime, pageOf, uuid } from '../../../../packages/base/fields.ts';
import { cursor, limit } from '../../../framework/schema/query.ts';
import { findingExample, findingWriteExample } from './examples.ts';

export const FindingShape = z
  .strictObject({
    id,
    kind: z.enum(scanKinds),
    rule: z.enum(ruleNames),
    severity: z.enum(severities),
    status: z
      .enum(findingStatuses)
      .describe('`fixed`: a later scan looked and did not find it. A dismissed one stays dismissed.'),
    url: z.string().nullable(),
    article_id: id.nullable(),
    evidence: z.record(z.string(), z.unknown()).describe('What was found; its members depend on the rule.'),
    first_seen_at: isoTime,
    last_seen_at: isoTime,
    fixed_at: nullableTime,
  })
  .meta({ id: 'Finding', examples: [findingExample] });

export const FindingPage = pageOf(FindingShape).meta({ id: 'FindingPage' });

export const FindingUpdate = z
  .strictObject({ status: z.enum(['open', 'dismissed']) })
  .meta({ id: 'FindingUpdate', examples: [findingWriteExample] });

export const FindingQuery = z.strictObject({
  cursor,
  limit: limit(),
  kind: z.enum(scanKinds).optional().describe('Findings of scans of this kind.'),
  rule: z.enum(ruleNames).optional().describe('Findings of this rule.'),
  severity: z.enum(severities).optional().describe('Findings of this severity.'),
  status: z.array(z.enum(findingStatuses)).optional().describe('Findings with one of these statuses.'),
  article_id: uuid.optional().describe('Findings of this article.'),
});
