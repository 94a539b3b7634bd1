import { z } from 'zod';
import { backlinkStatuses } from '../../../../domain/seo/backlinks/backlink.ts';
import { backlinkSources } from '../../../../domain/seo/backlinks/link.ts';
import { id, isoTime, nullableTime, pageOf, uuid } from '../../../../packages/base/fields.ts';
import { cursor, limit } from '../../../framework/schema/query.ts';
import { backlinkExample, importedExample, importExample } from './examples.ts';

export const BacklinkImport = z
  .strictObject({
    csv: z
      .string()
      .meta({ description: 'The file, whose first line names the columns. At most 25,000 lines.' }),
    source: z
      .enum(['auto', ...backlinkSources])
      .default('auto')
      .meta({ description: 'The tool that made the file; `auto` finds it out.' }),
  })
  .meta({ id: 'BacklinkImport', examples: [importExample] });

const Rejection = z
  .strictObject({
    line: z.int().meta({ description: 'The line of the file, the first being 1.' }),
    message: z.string(),
  })
  .meta({ id: 'RejectedLine' });

export const BacklinksImported = z
  .strictObject({
    source: z.enum(backlinkSources).meta({ description: 'The tool that made the file.' }),
    added: z.int().meta({ description: 'Links that are new.' }),
    updated: z.int().meta({ description: 'Links that were known.' }),
    rejected: z.array(Rejection).meta({ description: 'The first 100 lines that are no links.' }),
    rejected_total: z.int(),
  })
  .meta({ id: 'BacklinksImported', examples: [importedExample] });

const Backlink = z
  .strictObject({
    id,
    source_url: z.string(),
    target_url: z.string(),
    anchor: z.string().nullable().meta({ description: 'The text of the link; null if it is not known.' }),
    rel: z.array(z.string()).meta({ description: 'Such as `nofollow`, `ugc` or `sponsored`.' }),
    article_id: id.nullable().meta({ description: 'The article at the target, as of the last import.' }),
    status: z
      .enum(backlinkStatuses)
      .meta({ description: '`unknown` until a scan of the kind backlinks has looked.' }),
    first_seen_at: isoTime,
    last_seen_at: isoTime,
    checked_at: nullableTime.meta({ description: 'When a scan has looked last.' }),
  })
  .meta({ id: 'Backlink', examples: [backlinkExample] });

export const BacklinkPage = pageOf(Backlink).meta({ id: 'BacklinkPage' });

/** A host as people write it: in any case and script. */
const domain = z
  .string()
  .transform((value, context) => {
    const host = /^[^\s/?#@:\\]{1,253}$/.test(value) ? URL.parse(`https://${value}`)?.hostname : undefined;
    if (host !== undefined) return host;
    context.addIssue({ code: 'custom', message: 'must be a domain, such as example.org' });
    return z.NEVER;
  })
  .meta({ description: 'The host of the source; its subdomains count too.' });

export const BacklinkQuery = z.strictObject({
  cursor,
  limit: limit(),
  status: z.array(z.enum(backlinkStatuses)).meta({ description: 'May be repeated.' }).optional(),
  article_id: uuid.meta({ description: 'The article at the target.' }).optional(),
  domain: domain.optional(),
});
