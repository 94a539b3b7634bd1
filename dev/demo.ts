import { join } from 'node:path';
import { createDatabase } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import { createKey } from '../domain/access/keys.ts';
import { hashSecret } from '../domain/access/key-secret.ts';
import type { KeyKind } from '../domain/access/key-secret.ts';
import { isPublishableScope, scopes } from '../domain/access/scopes.ts';
import { getArticleForChange } from '../domain/articles/article.ts';
import { createArticle } from '../domain/articles/create.ts';
import { publishArticle } from '../domain/articles/publish.ts';
import type { Actor } from '../domain/audit.ts';
import { addMember, createOrganisation } from '../domain/organisations.ts';
import { createSite } from '../domain/sites.ts';
import { authors, categories, createTerm, tags } from '../domain/taxonomy/terms.ts';
import { sql } from '../db/sql.ts';
import { z } from 'zod';
import { demoArticles, demoAuthors, demoCategories, demoTags } from './demo-content.ts';
import { readJson, writeJson } from './home.ts';

/** The demo's rows have fixed ids, by which a later start knows that they are there. */
const ORGANISATION = '01990000-0000-7000-8000-000000000001';
const MEMBER = '01990000-0000-7000-8000-000000000002';
const SITE = '01990000-0000-7000-8000-000000000003';

const actor: Actor = { kind: 'system', name: 'npm start' };

interface DemoFile {
  readonly base_url: string;
  readonly secret_key: string;
  readonly publishable_key: string;
  readonly temporal_ui_url: string | null;
}

/** Makes the demo organisation and Site once, and writes demo.json with keys for it (decisions 12). */
export async function ensureDemo(
  home: string,
  databaseUrl: string,
  addresses: Pick<DemoFile, 'base_url' | 'temporal_ui_url'>,
): Promise<void> {
  const path = join(home, 'demo.json');
  const known = readJson<DemoFile>(path);
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-demo',
    poolSize: 2,
  });
  try {
    await db.transaction((tx) => createDemo(db, tx));
    const usable =
      known !== null && (await isUsable(db, known.secret_key)) && (await isUsable(db, known.publishable_key));
    const keys = usable
      ? { secret_key: known.secret_key, publishable_key: known.publishable_key }
      : await db.transaction(createKeys);
    writeJson(path, { base_url: addresses.base_url, ...keys, temporal_ui_url: addresses.temporal_ui_url });
  } finally {
    await db.close();
  }
}

async function createDemo(db: Database, tx: Transaction): Promise<void> {
  const existing = await tx.maybeOne(sql.type(z.object({ id: z.string() }))`
    select id from organisations where id = ${ORGANISATION}`);
  if (existing !== null) return;
  const now = new Date();
  await createOrganisation(
    tx,
    actor,
    { id: ORGANISATION, name: 'Demo organisation', plan: 'pro', credits: 1_000 },
    now,
  );
  await addMember(
    tx,
    actor,
    { id: MEMBER, organisationId: ORGANISATION, email: 'owner@demo.example', role: 'owner' },
    now,
  );
  const domain = 'blog.demo.example';
  const site = {
    organisationId: ORGANISATION,
    name: 'The Slow Kitchen',
    domain,
    locale: 'en',
    timezone: 'Europe/Berlin',
  };
  await createSite(tx, actor, { id: SITE, ...site, spendCap: null }, now);
  await createContent(db, tx, domain, now);
}

async function createContent(db: Database, tx: Transaction, domain: string, now: Date): Promise<void> {
  const ids = new Map<string, string>();
  for (const name of demoCategories)
    ids.set(name, (await createTerm(tx, categories, SITE, { name }, now)).id);
  for (const name of demoTags) ids.set(name, (await createTerm(tx, tags, SITE, { name }, now)).id);
  for (const { name, bio } of demoAuthors)
    ids.set(name, (await createTerm(tx, authors, SITE, { name, bio }, now)).id);
  for (const { category, author, tags: names, daysAgo, ...values } of demoArticles) {
    const article = await createArticle(
      tx,
      SITE,
      {
        ...values,
        category_id: ids.get(category),
        author_id: ids.get(author),
        tag_ids: names.flatMap((name) => ids.get(name) ?? []),
      },
      now,
    );
    if (daysAgo === null) continue;
    const published_at = new Date(now.getTime() - daysAgo * 86_400_000);
    const purging = { site: { id: SITE, domain }, db, purger: null };
    await publishArticle(tx, purging, await getArticleForChange(tx, SITE, article.id), { published_at }, now);
  }
}

async function createKeys(tx: Transaction): Promise<{ secret_key: string; publishable_key: string }> {
  const create = async (kind: KeyKind, name: string): Promise<string> => {
    const granted = kind === 'secret' ? scopes : scopes.filter(isPublishableScope);
    const values = {
      siteId: SITE,
      memberId: MEMBER,
      name,
      kind,
      scopes: granted,
      heldByAgent: false,
      expiresAt: null,
    };
    return (await createKey(tx, actor, values, new Date())).secret;
  };
  return {
    secret_key: await create('secret', 'Demo secret key'),
    publishable_key: await create('publishable', 'Demo publishable key'),
  };
}

async function isUsable(db: Database, secret: string): Promise<boolean> {
  const found = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    select k.id from api_keys k join api_key_secrets s on s.key_id = k.id
    where s.hash = ${sql.binary(hashSecret(secret))} and k.revoked_at is null and s.valid_until is null`);
  return found !== null;
}
