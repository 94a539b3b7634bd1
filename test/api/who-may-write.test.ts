import { readFileSync } from 'node:fs';
import { operations } from '../../api/operations.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { siteState } from '../support/site-state.ts';
import { validRequest } from '../support/valid-requests.ts';

/**
 * Every operation that writes. First what it changes of what readers see or will see: `always`, `shown` if its target is
 * published or scheduled, `otherwise` by a right of its own, or `nothing`. Then what a key for drafts may do with it:
 * `all`, `unseen` as long as no reader sees or will see it, `own` only with its own, or `none`
 * (docs/spec/rulings.md, 23).
 */
const table = `
PATCH /site                                   otherwise none
POST /content-types                           nothing   none
PATCH /content-types/{id}                     nothing   none
PATCH /pipeline/prompts/{stage}               nothing   none
DELETE /pipeline/prompts/{stage}              nothing   none
POST /pipeline/prompts/{stage}/try            nothing   none
PATCH /pipeline/voice                         nothing   none
POST /billing/checkout                        nothing   none
POST /billing/portal                          nothing   none
PATCH /billing/auto-top-up                    nothing   none

POST /articles                                nothing   all
PATCH /articles/{id}                          shown     unseen
DELETE /articles/{id}                         shown     unseen
POST /articles/{id}/publish                   always    none
POST /articles/{id}/unpublish                 always    none
POST /articles/{id}/schedule                  always    none
POST /articles/{id}/cancel-schedule           always    none
POST /articles/{id}/revisions/{number}/restore shown    unseen
PATCH /articles/{id}/pending                  shown     unseen
DELETE /articles/{id}/pending                 shown     unseen
POST /articles/{id}/pending/publish           always    none
POST /articles/{id}/pending/schedule          always    none
POST /articles/{id}/pending/cancel-schedule   always    none
POST /articles/{id}/review                    nothing   all
POST /articles/{id}/review/approve            otherwise none
POST /articles/{id}/review/request-changes    nothing   none
DELETE /articles/{id}/review                  nothing   all
POST /articles/{id}/notes                     nothing   all
PATCH /articles/{id}/notes/{note_id}          nothing   all
DELETE /articles/{id}/notes/{note_id}         nothing   all
POST /articles/bulk                           shown     unseen
POST /articles/bulk/{id}/cancel               nothing   own
POST /articles/{id}/preview-links             nothing   none
DELETE /articles/{id}/preview-links/{link_id} nothing   none

POST /categories                              nothing   all
PATCH /categories/{id}                        otherwise none
DELETE /categories/{id}                       otherwise none
POST /tags                                    nothing   all
PATCH /tags/{id}                              otherwise none
DELETE /tags/{id}                             otherwise none
POST /authors                                 nothing   all
PATCH /authors/{id}                           otherwise none
DELETE /authors/{id}                          otherwise none
POST /media/upload-url                        nothing   all
POST /media                                   nothing   all
PATCH /media/{id}                             nothing   own
DELETE /media/{id}                            otherwise none

POST /comments                                otherwise none
PATCH /comments/settings                      otherwise none
POST /comments/erase                          otherwise none
POST /comments/{id}/approve                   otherwise none
POST /comments/{id}/hold                      otherwise none
POST /comments/{id}/spam                      otherwise none
POST /comments/{id}/reply                     otherwise none
DELETE /comments/{id}                         otherwise none

POST /content-plan                            nothing   all
PATCH /content-plan/{id}                      nothing   all
DELETE /content-plan/{id}                     nothing   none
PATCH /content-plan/autopilot                 nothing   none
POST /pipeline/runs                           nothing   none
POST /pipeline/runs/{id}/cancel               nothing   none
POST /pipeline/articles/{id}/requeue          nothing   none
POST /pipeline/articles/{id}/reject           nothing   none
POST /seo/scans/{id}/cancel                   nothing   none
POST /seo/scans/site-crawl                    nothing   none
POST /seo/scans/on-page                       nothing   none
POST /seo/scans/structured-data               nothing   none
POST /seo/scans/outbound-links                nothing   none
POST /seo/scans/backlinks                     nothing   none
POST /seo/scans/internal-links                nothing   none
POST /seo/scans/keyword-overlap               nothing   none
PATCH /seo/findings/{id}                      nothing   none
POST /seo/findings/{id}/plan                  nothing   all
POST /seo/backlinks/import                    nothing   none
DELETE /seo/backlinks/{id}                    nothing   none
POST /delivery/connections                    otherwise none
PATCH /delivery/connections/{id}              otherwise none
DELETE /delivery/connections/{id}             otherwise none
POST /delivery/connections/{id}/test          nothing   none
POST /delivery/cms/push                       otherwise none

POST /keys                                    nothing   all
POST /keys/{id}/rotate                        nothing   unseen
DELETE /keys/{id}                             nothing   none
POST /auth/device                             nothing   all
POST /auth/device/token                       nothing   all
POST /auth/device/approve                     nothing   all
POST /auth/device/deny                        nothing   all
POST /notifications/read                      nothing   all
PATCH /notifications/settings                 nothing   all
POST /notifications/channels                  nothing   none
PATCH /notifications/channels/{id}            nothing   none
DELETE /notifications/channels/{id}           nothing   none
POST /notifications/channels/{id}/test        nothing   none
PATCH /organisation                           nothing   none
POST /team/invitations                        nothing   none
PATCH /team/{id}                              nothing   none
DELETE /team/{id}                             nothing   none
POST /approvals/{id}/approve                  otherwise none
POST /approvals/{id}/deny                     nothing   none
POST /webhooks                                nothing   none
PATCH /webhooks/{id}                          nothing   none
DELETE /webhooks/{id}                         nothing   none
POST /webhooks/{id}/rotate-secret             nothing   none
POST /webhooks/{id}/deliveries/{delivery_id}/redeliver nothing none
POST /webhooks/{id}/replay                    nothing   none
POST /webhooks/{id}/ping                      nothing   none
`;

const rows = table
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split(/ +/) as [method: string, path: string, seen: string, drafts: string]);

const clock = new TestClock();
const api = await useApi({ clock });
let tenant: Tenant;
beforeEach(async () => {
  clock.advance(60_000);
  tenant = await buildTenant(api.db);
});

test('every write of the OpenAPI document has a row, and there is no other', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const writes = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['post', 'patch', 'delete', 'put'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(rows.map(([method, path]) => `${method} ${path}`).sort()).toEqual(writes.sort());
});

const nameOf = (method: string, path: string): string => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
const keyless = operations.filter((one) => one.keyless).map(({ method, path }) => `${method} ${path}`);
const withKey = rows.filter(([method, path]) => !keyless.includes(nameOf(method, path)));

const send = async (key: string, method: string, path: string): Promise<Answer> => {
  const request = await validRequest(api, tenant, nameOf(method, path));
  return api.request(method, request.path, {
    key,
    body: request.body,
    ...(method !== 'DELETE' && { idempotencyKey: true as const }),
  });
};
const codeOf = ({ status, json }: Answer): string => (status < 400 ? 'OK' : json.error.code);

describe('a key for drafts', () => {
  let key: string;
  beforeEach(async () => {
    key = (await buildKey(api.db, tenant.siteId, tenant.memberId, { draftsOnly: true })).secret;
  });

  test.each(withKey.filter(([, , , drafts]) => drafts === 'none' || drafts === 'own'))(
    'is refused %s %s',
    async (method, path) => {
      const request = await validRequest(api, tenant, nameOf(method, path));
      const before = await siteState(api, tenant);
      const options = {
        key,
        body: request.body,
        ...(method !== 'DELETE' && { idempotencyKey: true as const }),
      };
      const answer = await api.request(method, request.path, options);
      expect([answer.status, codeOf(answer)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
      expect(await siteState(api, tenant)).toBe(before);
    },
  );

  test.each(withKey.filter(([, , , drafts]) => drafts === 'all'))('may %s %s', async (method, path) => {
    expect(codeOf(await send(key, method, path))).toBe('OK');
  });
});

test.each(withKey.filter(([, , seen]) => seen === 'always'))(
  'nobody without articles.publish may %s %s, and learns it after 404',
  async (method, path) => {
    const member = await buildMember(api.db, tenant.organisationId, 'contributor');
    const contributor = (await buildKey(api.db, tenant.siteId, member)).secret;
    const drafts = (await buildKey(api.db, tenant.siteId, tenant.memberId, { draftsOnly: true })).secret;
    for (const key of [contributor, drafts]) {
      const answer = await send(key, method, path);
      expect([codeOf(answer), answer.json.error.message]).toEqual([
        'INSUFFICIENT_SCOPE',
        expect.stringContaining('articles.publish'),
      ]);
      const nowhere = path.replace('{id}', '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11');
      const body = (await validRequest(api, tenant, nameOf(method, path))).body;
      expect((await api.request(method, nowhere, { key, body })).status).toBe(404);
    }
  },
);
