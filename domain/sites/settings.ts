import { z } from 'zod';
import { columnsOf, json, sql, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { aiDisclosures } from '../kernel/origins.ts';
import { autopilotTimeZoneChanged } from '../autopilot/settings.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import { offerEvent } from '../events/events.ts';
import { purgeSite } from '../purge/purge.ts';
import type { Purging } from '../purge/purge.ts';
import { urlPathsRow } from '../purge/public-urls.ts';

/** The content of entries of feeds. */
export const feedContents = ['full', 'excerpt'] as const;

const settingsRow = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  locale: z.string(),
  timezone: z.string(),
  url_paths: urlPathsRow,
  preview_url: z.string().nullable(),
  feed_content: z.enum(feedContents),
  required_reviews: z.number(),
  ai_disclosure: z.enum(aiDisclosures),
  max_unsupported_claims: z.number().nullable(),
  version: z.number(),
  created_at: timestamp,
});

export type SiteSettings = z.infer<typeof settingsRow>;

const columns = columnsOf(settingsRow, 's');

/** The settings that a client may write. */
const writable = [
  'name',
  'locale',
  'timezone',
  'url_paths',
  'preview_url',
  'feed_content',
  'required_reviews',
  'ai_disclosure',
  'max_unsupported_claims',
] as const;

/** The settings that readers see. */
const seenByReaders = ['name', 'locale', 'url_paths', 'feed_content', 'ai_disclosure'] as const;

export type SettingsChanges = {
  readonly [Name in (typeof writable)[number]]?: SiteSettings[Name] | undefined;
};

export const readSiteSettings = (db: Queryable, siteId: string): Promise<SiteSettings> =>
  db.one(sql.type(settingsRow)`select ${columns} from sites s where s.id = ${siteId}`);

/** Reads the settings and locks them until the transaction ends. */
export const getSiteSettingsForUpdate = (tx: Transaction, siteId: string): Promise<SiteSettings> =>
  tx.one(sql.type(settingsRow)`select ${columns} from sites s where s.id = ${siteId} for no key update`);

/** Updates the settings that differ, in the transaction that locked `current`. Without a change the version stays. @param shown as the API shows them */
export async function changeSiteSettings(
  change: Change,
  purging: Purging,
  current: SiteSettings,
  sent: SettingsChanges,
  shown: (saved: SiteSettings) => object,
): Promise<SiteSettings> {
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const wanted: SiteSettings = { ...current, ...given };
  const details = differences(current, wanted, writable);
  if (Object.keys(details).length === 0) return current;
  const saved = await change.tx.one(sql.type(settingsRow)`
    update sites s set name = ${wanted.name}, locale = ${wanted.locale}, timezone = ${wanted.timezone},
      url_paths = ${json(wanted.url_paths)}::jsonb, preview_url = ${wanted.preview_url},
      feed_content = ${wanted.feed_content}, required_reviews = ${wanted.required_reviews},
      ai_disclosure = ${wanted.ai_disclosure}, max_unsupported_claims = ${wanted.max_unsupported_claims},
      version = s.version + 1
    where s.id = ${current.id} returning ${columns}`);
  if ('timezone' in details) await autopilotTimeZoneChanged(change.tx, current.id, change.now);
  recordChange(change, 'site.update', { type: 'site', id: current.id }, details);
  offerEvent(change, 'site.updated', () => shown(saved));
  const paths = 'url_paths' in details ? [current.url_paths, saved.url_paths] : [];
  if (seenByReaders.some((name) => name in details)) purgeSite(change.tx, purging, paths, change.now);
  return saved;
}
