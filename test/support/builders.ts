import { createKey } from '../../domain/access/keys.ts';
import type { KeyKind } from '../../domain/access/key-secret.ts';
import type { Role } from '../../domain/access/permissions.ts';
import { isPublishableScope, scopes as allScopes } from '../../domain/access/scopes.ts';
import type { Scope } from '../../domain/access/scopes.ts';
import { operator } from '../../domain/audit/record.ts';
import { addMember, createOrganisation } from '../../domain/organisations/organisations.ts';
import { hashPassword, setPassword } from '../../domain/sign-in/passwords.ts';
import { createSite } from '../../domain/organisations/sites.ts';
import type { Database } from '../../db/database.ts';
import type { TestApi } from './api.ts';

let sequence = 0;
const next = (): number => (sequence += 1);

export const buildOrganisation = (
  db: Database,
  values: { plan?: 'free' | 'pro'; credits?: number } = {},
): Promise<string> =>
  db.transaction((tx) =>
    createOrganisation(
      { tx, actor: operator, now: new Date() },
      { name: `Organisation ${next()}`, plan: 'pro', credits: 1_000, ...values },
    ),
  );

export const buildMember = (db: Database, organisationId: string, role: Role = 'owner'): Promise<string> =>
  db.transaction((tx) =>
    addMember(
      { tx, actor: operator, now: new Date() },
      { organisationId, email: `person${next()}@example.com`, role },
    ),
  );

const hashes = new Map<string, Promise<string>>();

/** Hashing takes long on purpose, so each password is hashed once. */
function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** A person who can sign in: a member whose password is set. @returns the member's id, and the address */
export async function buildPerson(
  db: Database,
  organisationId: string,
  values: { role?: Role; email?: string; password?: string } = {},
): Promise<{ memberId: string; email: string; password: string }> {
  const { role = 'owner', email = `person${next()}@example.com`, password = `Password of ${email}` } = values;
  const passwordHash = await hashOf(password);
  const memberId = await db.transaction(async (tx) => {
    const id = await addMember({ tx, actor: operator, now: new Date() }, { organisationId, email, role });
    await setPassword({ tx, actor: operator, now: new Date() }, id, passwordHash);
    return id;
  });
  return { memberId, email, password };
}

export const buildSite = (
  db: Database,
  organisationId: string,
  values: { timezone?: string; spendCap?: number | null } = {},
): Promise<string> =>
  db.transaction((tx) => {
    const number = next();
    const site = {
      name: `Site ${number}`,
      domain: `blog${number}.example.com`,
      locale: 'en',
      timezone: 'Europe/Berlin',
    };
    return createSite(
      { tx, actor: operator, now: new Date() },
      { organisationId, ...site, spendCap: null, ...values },
    );
  });

export interface KeyOptions {
  readonly kind?: KeyKind;
  readonly scopes?: readonly Scope[];
  readonly heldByAgent?: boolean;
  readonly draftsOnly?: boolean;
  readonly expiresAt?: Date | null;
}

/** @returns the key's secret and id */
export async function buildKey(
  db: Database,
  siteId: string,
  memberId: string,
  { kind = 'secret', scopes, heldByAgent = false, draftsOnly = false, expiresAt = null }: KeyOptions = {},
): Promise<{ secret: string; id: string }> {
  const granted = scopes ?? (kind === 'secret' ? allScopes : allScopes.filter(isPublishableScope));
  const values = {
    siteId,
    memberId,
    name: `Key ${next()}`,
    kind,
    scopes: granted,
    heldByAgent,
    draftsOnly,
    expiresAt,
  };
  const { key, secret } = await db.transaction((tx) =>
    createKey({ tx, actor: operator, now: new Date() }, values),
  );
  return { secret, id: key.id };
}

/** A Site with an owner and a key of each kind: what most tests need. */
export interface Tenant {
  readonly organisationId: string;
  readonly memberId: string;
  readonly siteId: string;
  readonly secretKey: string;
  readonly publishableKey: string;
}

export async function buildTenant(
  db: Database,
  values: { timezone?: string; plan?: 'free' | 'pro'; credits?: number } = {},
): Promise<Tenant> {
  const { plan = 'pro', credits = 1_000, ...site } = values;
  const organisationId = await buildOrganisation(db, { plan, credits });
  const memberId = await buildMember(db, organisationId);
  const siteId = await buildSite(db, organisationId, site);
  const secretKey = (await buildKey(db, siteId, memberId)).secret;
  const publishableKey = (await buildKey(db, siteId, memberId, { kind: 'publishable' })).secret;
  return { organisationId, memberId, siteId, secretKey, publishableKey };
}

const must = (status: number, answer: { status: number; text: string }): void => {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
};

/** Creates a draft through the API. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function buildArticle(api: TestApi, key: string, body: object = {}): Promise<any> {
  const answer = await api.request('POST', '/articles', { key, body, idempotencyKey: true });
  must(201, answer);
  return answer.data;
}

/** Creates an article through the API and publishes it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function buildPublished(api: TestApi, key: string, body: object = {}): Promise<any> {
  const article = await buildArticle(api, key, { title: `Article ${next()}`, content: 'Text.', ...body });
  must(200, await api.request('POST', `/articles/${article.id}/publish`, { key }));
  return (await api.request('GET', `/articles/${article.id}`, { key })).data;
}

/** Creates a category, tag or author through the API. */
export async function buildTerm(
  api: TestApi,
  key: string,
  path: 'categories' | 'tags' | 'authors',
  body: object = {},
) {
  const answer = await api.request('POST', `/${path}`, {
    key,
    body: { name: `Term ${next()}`, ...body },
    idempotencyKey: true,
  });
  must(201, answer);
  return answer.data;
}
