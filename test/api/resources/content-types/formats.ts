import type { Answer, TestApi } from '../../../support/api.ts';
import type { Tenant } from '../../../support/builders.ts';

export const blueprint = {
  requires: ['faqs', 'key_takeaways'],
  sections: [
    { heading: 'Lead', guidance: 'Say it first.', min_words: 50, max_words: 100 },
    { heading: 'Rest', guidance: '' },
  ],
};

/** Requests about formats, by the current test's Site. */
export function formatsOf(of: () => { readonly api: TestApi; readonly tenant: Tenant }) {
  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    of().api.request(method, path, {
      key: of().tenant.secretKey,
      body,
      headers,
      ...(method === 'POST' ? { idempotencyKey: true } : {}),
    });

  const list = async (key = of().tenant.secretKey): Promise<any[]> =>
    (await of().api.request('GET', '/content-types', { key })).data.items;

  const create = async (values: object = {}): Promise<any> => {
    const answer = await call('POST', '/content-types', { name: 'Recipe', blueprint, ...values });
    expect([answer.status, answer.json.error]).toEqual([201, undefined]);
    return answer.data;
  };

  const platformId = async (key: string): Promise<string> =>
    (await list()).find((item) => item.key === key && item.source === 'platform').id;

  const audit = async (): Promise<unknown[]> =>
    (
      await of().api.db.pool.query(
        "select action, target_type, target_id, details from audit_log where site_id = $1 and target_type = 'content_type' order by id",
        [of().tenant.siteId],
      )
    ).rows;

  return { call, list, create, platformId, audit };
}
