import { z } from 'zod';
import { array, at, json, sql, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import { validationFailed } from '../kernel/errors.ts';

const voiceRow = z.object({
  audience: z.string().nullable(),
  tone: z.string().nullable(),
  do: z.array(z.string()),
  avoid: z.array(z.string()),
  vocabulary: z.array(z.object({ use: z.string(), instead_of: z.array(z.string()) })),
  /** Those that still exist. */
  sample_article_ids: z.array(z.string()),
  version: z.number(),
  updated_at: timestamp.nullable(),
});

/** How a Site wants its pipeline to write (docs/spec/rulings.md, 25). */
export type Voice = z.infer<typeof voiceRow>;

const members = ['audience', 'tone', 'do', 'avoid', 'vocabulary', 'sample_article_ids'] as const;

export type VoiceChanges = { readonly [Name in (typeof members)[number]]?: Voice[Name] | undefined };

/** Of a Site that has never said anything. */
const silent: Voice = {
  audience: null,
  tone: null,
  do: [],
  avoid: [],
  vocabulary: [],
  sample_article_ids: [],
  version: 0,
  updated_at: null,
};

/** The columns of a voice, from the table `v`. */
const columns = sql.fragment`
  v.audience, v.tone, v.advice as do, v.avoid, v.vocabulary, v.version, v.updated_at,
  array(
    select named.id from unnest(v.sample_article_ids) with ordinality as named (id, place)
    join articles a on a.id = named.id and a.site_id = v.site_id order by named.place
  ) as sample_article_ids`;

export async function readVoice(db: Queryable, siteId: string): Promise<Voice> {
  const row = await db.maybeOne(sql.type(voiceRow)`
    select ${columns} from voices v where v.site_id = ${siteId}`);
  return row ?? silent;
}

/** Reads the voice, and locks it until the transaction ends; the first one too. */
export async function getVoiceForUpdate(tx: Transaction, siteId: string): Promise<Voice> {
  await tx.any(sql.type(z.object({}))`select from sites where id = ${siteId} for no key update`);
  return readVoice(tx, siteId);
}

/** Identifies this state: samples that are deleted change it without a new version. */
export const versionOfVoice = ({ version, sample_article_ids: samples }: Voice): string =>
  `${version}-${samples.length}`;

/**
 * Updates the given members that differ. Without an effective change nothing is written.
 *
 * @param current locked by this transaction
 * @throws ServiceError VALIDATION_FAILED for samples that are not articles of the Site
 */
export async function changeVoice(change: Change, current: Voice, sent: VoiceChanges): Promise<Voice> {
  const { tx, site, now } = change;
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const next: Voice = { ...current, ...given };
  await requireSamples(tx, site.id, next.sample_article_ids);
  const details = differences(current, next, members);
  if (Object.keys(details).length === 0) return current;
  const saved = await tx.one(sql.type(voiceRow)`
    insert into voices as v (site_id, audience, tone, advice, avoid, vocabulary, sample_article_ids, updated_at)
    values (
      ${site.id}, ${next.audience}, ${next.tone}, ${json(next.do)}, ${json(next.avoid)}, ${json(next.vocabulary)},
      ${array(next.sample_article_ids, 'uuid')}, ${at(now)}
    )
    on conflict on constraint voices_pkey do update set audience = excluded.audience, tone = excluded.tone,
      advice = excluded.advice, avoid = excluded.avoid, vocabulary = excluded.vocabulary,
      sample_article_ids = excluded.sample_article_ids, version = v.version + 1,
      updated_at = greatest(v.updated_at, excluded.updated_at)
    returning ${columns}`);
  recordChange(change, 'voice.update', { type: 'site', id: site.id }, details);
  return saved;
}

const idRow = z.object({ id: z.string() });

async function requireSamples(tx: Transaction, siteId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.any(sql.type(idRow)`
    select id from articles where site_id = ${siteId} and id = any(${array(ids, 'uuid')})`);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.flatMap((id, index) =>
    known.has(id) ? [] : [[`sample_article_ids.${index}`, 'is not the id of an article of this Site']],
  );
  if (unknown.length > 0) throw validationFailed(Object.fromEntries(unknown));
}
