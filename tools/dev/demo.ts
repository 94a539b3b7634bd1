import { join } from 'node:path';
import { createDatabase } from '../../db/database.ts';
import type { Database, DatabaseOptions } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { createKey } from '../../domain/access/keys.ts';
import { hashSecret } from '../../domain/access/key-secret.ts';
import type { KeyKind } from '../../domain/access/key-secret.ts';
import { isPublishableScope, scopes } from '../../domain/access/scopes.ts';
import { currentArticle } from '../../domain/articles/article.ts';
import { createArticle } from '../../domain/publication/create.ts';
import { publishArticle } from '../../domain/publication/publish.ts';
import type { Actor } from '../../domain/audit/record.ts';
import { ServiceError } from '../../domain/kernel/errors.ts';
import { findDeletion } from '../../domain/leaving/deletion.ts';
import { addMember, createOrganisation } from '../../domain/organisations/organisations.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import { authors, categories, createTerm, tags } from '../../domain/taxonomy/terms.ts';
import { sql, statement } from '../../db/sql.ts';
import { z } from 'zod';
import { demoArticles, demoAuthors, demoCategories, demoTags } from './demo-content.ts';
import { readJson } from '../../runtime/home.ts';
import { writeJson } from './home.ts';

/** The demo's rows have fixed ids, so that a later start recognises them. */
const ORGANISATION = '01990000-0000-7000-8000-000000000001';
export const MEMBER = '01990000-0000-7000-8000-000000000002';
const SITE = '01990000-0000-7000-8000-000000000003';

const actor: Actor = { kind: 'system', name: 'npm start' };

interface DemoKeys {
  readonly secret_key: string;
  readonly publishable_key: string;
}

interface DemoAddresses {
  readonly base_url: string;
  readonly temporal_ui_url: string | null;
}

const noKeys = { secret_key: null, publishable_key: null };
type DemoFile = DemoAddresses & (DemoKeys | typeof noKeys);

/**
 * Creates the demo organisation and Site once, and writes demo.json with its keys (docs/spec/rulings.md, 12).
 *
 * @returns whether there are keys; there are none once the Site or its owner has been deleted
 */
export async function ensureDemo(
  home: string,
  database: Omit<DatabaseOptions, 'applicationName'>,
  addresses: DemoAddresses,
): Promise<boolean> {
  const path = join(home, 'demo.json');
  const known = readJson<DemoFile>(path);
  const db = createDatabase({ ...database, applicationName: 'presswork-demo', poolSize: 2 });
  try {
    await db.transaction((tx) => createDemo(db, tx));
    const keys = (await usableKeys(db, known)) ?? (await newKeys(db));
    const { base_url, temporal_ui_url } = addresses;
    writeJson(path, { base_url, ...(keys ?? noKeys), temporal_ui_url } satisfies DemoFile);
    return keys !== null;
  } finally {
    await db.close();
  }
}

async function createDemo(db: Database, tx: Transaction): Promise<void> {
  // Of two first starts on one database, the later one finds the other's demo.
  await tx.exec(statement`select pg_advisory_xact_lock(hashtextextended('presswork demo', 0))`);
  const existing = await tx.maybeOne(sql.type(z.object({ id: z.string() }))`
    select id from organisations where id = ${ORGANISATION}`);
  if (existing !== null || (await findDeletion(tx, ORGANISATION)) !== null) return;
  const now = new Date();
  await createOrganisation(
    { tx, actor, now },
    { id: ORGANISATION, name: 'Demo organisation', plan: 'pro', credits: 1_000 },
  );
  await addMember(
    { tx, actor, now },
    { id: MEMBER, organisationId: ORGANISATION, email: 'owner@demo.example', role: 'owner' },
  );
  const domain = 'blog.demo.example';
  const site = {
    organisationId: ORGANISATION,
    name: 'The Slow Kitchen',
    domain,
    locale: 'en',
    timezone: 'Europe/Berlin',
  };
  await createSite({ tx, actor, now }, { id: SITE, ...site, spendCap: null });
  await createContent(db, tx, domain, now);
}

async function createContent(db: Database, tx: Transaction, domain: string, now: Date): Promise<void> {
  const ids = new Map<string, string>();
  const change = { tx, site: { id: SITE, organisationId: ORGANISATION, eventsFull: false }, actor, now };
  for (const name of demoCategories) ids.set(name, (await createTerm(change, categories, { name })).id);
  for (const name of demoTags) ids.set(name, (await createTerm(change, tags, { name })).id);
  for (const { name, bio } of demoAuthors)
    ids.set(name, (await createTerm(change, authors, { name, bio })).id);
  for (const { category, author, tags: names, daysAgo, ...values } of demoArticles) {
    const article = await createArticle(tx, change, change.site, {
      ...values,
      category_id: ids.get(category),
      author_id: ids.get(author),
      tag_ids: names.flatMap((name) => ids.get(name) ?? []),
    });
    if (daysAgo === null) continue;
    const published_at = new Date(now.getTime() - daysAgo * 86_400_000);
    const purging = { site: { id: SITE, domain }, db, purger: null };
    const draft = await currentArticle(tx, SITE, article.id);
    publishArticle(change, purging, draft, { published_at }, null);
  }
}

async function usableKeys(db: Database, known: DemoFile | null): Promise<DemoKeys | null> {
  if (known === null || known.secret_key === null) return null;
  const { secret_key, publishable_key } = known;
  const usable = (await isUsable(db, secret_key)) && (await isUsable(db, publishable_key));
  return usable ? { secret_key, publishable_key } : null;
}

/** @returns null, and says why, if there can be none: the product starts without a demo as well */
async function newKeys(db: Database): Promise<DemoKeys | null> {
  try {
    return await db.transaction(createKeys);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const why = error.code === 'NOT_FOUND' ? 'Its Site or its owner has been deleted.' : error.message;
    console.log(`Demo: without keys. ${why}`);
    return null;
  }
}

async function createKeys(tx: Transaction): Promise<DemoKeys> {
  const create = async (kind: KeyKind, name: string): Promise<string> => {
    const granted = kind === 'secret' ? scopes : scopes.filter(isPublishableScope);
    const values = {
      siteId: SITE,
      memberId: MEMBER,
      name,
      kind,
      scopes: granted,
      heldByAgent: false,
      draftsOnly: false,
      expiresAt: null,
    };
    return (await createKey({ tx, actor, now: new Date() }, values)).secret;
  };
  return {
    secret_key: await create('secret', 'Demo secret key'),
    publishable_key: await create('publishable', 'Demo publishable key'),
  };
}

async function isUsable(db: Database, secret: string): Promise<boolean> {
  const found = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    select k.id from api_keys k join api_key_secrets s on s.key_id = k.id
      join members m on m.id = k.member_id join sites on sites.id = k.site_id
    where s.hash = ${sql.binary(hashSecret(secret))} and k.revoked_at is null and s.valid_until is null
      and m.removed_at is null and sites.deleting_since is null`);
  return found !== null;
}
