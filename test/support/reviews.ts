import type { Answer, TestApi } from './api.ts';
import { buildKey, buildMember, buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';

/** Somebody of an organisation, with a key. */
export interface Somebody {
  readonly id: string;
  readonly key: string;
}

/** A Site whose owner lets others review what they write. */
export interface Newsroom {
  readonly tenant: Tenant;
  readonly owner: Somebody;
  readonly author: Somebody;
  readonly editor: Somebody;
  readonly contributor: Somebody;
  readonly call: (
    who: Somebody,
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  readonly join: (role: Parameters<typeof buildMember>[2], heldByAgent?: boolean) => Promise<Somebody>;
  readonly require: (number: number) => Promise<void>;
  /** An article by the author. */
  readonly write: () => Promise<string>;
}

let sequence = 0;

export async function buildNewsroom(api: TestApi): Promise<Newsroom> {
  const tenant = await buildTenant(api.db);
  const call: Newsroom['call'] = (who, method, path, body, headers) =>
    api.request(method, path, {
      key: who.key,
      ...(body && { body }),
      ...(headers && { headers }),
      ...(method === 'POST' && path === '/articles' && { idempotencyKey: true }),
    });
  const join: Newsroom['join'] = async (role, heldByAgent = false) => {
    const id = await buildMember(api.db, tenant.organisationId, role);
    return { id, key: (await buildKey(api.db, tenant.siteId, id, { heldByAgent })).secret };
  };
  const owner = { id: tenant.memberId, key: tenant.secretKey };
  const [author, editor, contributor] = await Promise.all([
    join('author'),
    join('editor'),
    join('contributor'),
  ]);
  return {
    tenant,
    owner,
    author,
    editor,
    contributor,
    call,
    join,
    async require(number) {
      await call(owner, 'PATCH', '/site', { required_reviews: number });
    },
    async write() {
      const body = { title: 'Bread', slug: `bread-${(sequence += 1)}`, content: 'Flour, water and salt.' };
      return (await call(author, 'POST', '/articles', body)).data.id;
    },
  };
}
