import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations as declared } from '../../api/operations.ts';
import type { Operation } from '../../api/framework/operation.ts';
import { sdkNameOf } from '../../api/framework/openapi/sdk-names.ts';
import { root } from '../../runtime/home.ts';
import { operations } from '../../sdk/src/generated/operations.ts';
import { Presswork } from '../../sdk/src/index.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { startDeviceSignIn } from '../support/device.ts';
import { validRequest } from '../support/valid-requests.ts';
import type { ValidRequest } from '../support/valid-requests.ts';

type Method = (...args: unknown[]) => Promise<{ meta: Record<string, unknown> }>;

/** The methods of a client as `resource.method`, or `method` for its own. */
function methodsOf(presswork: Presswork): Map<string, Method> {
  const methods = new Map<string, Method>();
  for (const [name, member] of Object.entries(presswork as unknown as Record<string, object>)) {
    if (typeof member === 'function') methods.set(name, member as Method);
    else
      for (const [each, method] of Object.entries(member)) methods.set(`${name}.${each}`, method as Method);
  }
  return methods;
}

const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const names = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => {
      const { resource, name } = sdkNameOf(operationId, path);
      return [operationId, resource === undefined ? name : `${resource}.${name}`] as const;
    }),
  ),
);
const nameOf = (id: string): string => names.get(id) ?? '';

test('every operation of the OpenAPI document has its method, and no method lacks an operation', () => {
  const presswork = new Presswork({ baseUrl: 'http://127.0.0.1:1/v1' });
  expect([...methodsOf(presswork).keys()].toSorted()).toEqual([...names.values()].toSorted());
  expect(Object.keys(operations)).toEqual([...names.values()]);
});

test('a method is named by its operationId without the words of its resource', () => {
  const expected = {
    ping: 'ping',
    getSite: 'site.get',
    listArticles: 'articles.list',
    createArticle: 'articles.create',
    cancelArticleSchedule: 'articles.cancelSchedule',
    listCategories: 'categories.list',
    getCategory: 'categories.get',
    reserveMediaUpload: 'media.reserveUpload',
    listContentTypes: 'contentTypes.list',
    savePrompt: 'prompts.save',
    startPipelineRun: 'pipeline.startRun',
    approveDeviceSignIn: 'deviceSignIn.approve',
    inviteTeamMember: 'team.inviteMember',
    listAuditLog: 'auditLog.list',
    approveApproval: 'approvals.approve',
    redeliverWebhook: 'webhooks.redeliver',
    rotateWebhookSecret: 'webhooks.rotateSecret',
  };
  for (const [id, name] of Object.entries(expected)) expect([id, nameOf(id)]).toEqual([id, name]);
});

test('each operation takes the options, and pages as its declaration says', () => {
  for (const { id, idempotency, conditional, approval, answers } of declared) {
    const { options = [], pageSize } = operations[nameOf(id)] ?? {};
    expect([id, ...options]).toEqual([
      id,
      ...(idempotency ? ['idempotencyKey'] : []),
      ...(conditional ? ['ifMatch'] : []),
      ...(approval ? ['approval'] : []),
    ]);
    const shape = (answers[200] as { shape?: object } | null | undefined)?.shape ?? {};
    expect([id, pageSize !== undefined]).toEqual([id, id.startsWith('list') && 'items' in shape]);
  }
});

describe('against the API', () => {
  const clock = new TestClock();
  let api: TestApi;
  let tenant: Tenant;
  let presswork: Presswork;
  const sent: { method: string; url: string; headers: Headers; body: unknown }[] = [];

  beforeAll(async () => {
    api = await startOnSharedDatabase({ clock });
    tenant = await buildTenant(api.db, { plan: 'pro' });
    presswork = new Presswork({
      apiKey: tenant.secretKey,
      baseUrl: `${api.origin}/v1`,
      fetch: (url, init) => {
        const { method = '', headers, body } = init ?? {};
        sent.push({ method, url: url as string, headers: headers as Headers, body });
        return fetch(url, init);
      },
    });
  });
  // Each test has its own minute, because rate limits are not under test here.
  beforeEach(() => clock.advance(60_000));
  afterAll(() => api.close());

  /** What an operation is called with: a valid request of the Site's owner. */
  const requestOf = async ({ keyless, id, method, path }: Operation): Promise<ValidRequest> => {
    if (!keyless) return validRequest(api, tenant, `${method} ${path}`);
    const body =
      id === 'startDeviceSignIn'
        ? { client_name: 'CLI' }
        : { device_code: (await startDeviceSignIn(api)).device_code };
    return { path, body };
  };

  test.each(declared.map((operation) => [operation.id, operation] as const))(
    '%s is sent as declared, and its answer has the headers in meta',
    async (id, operation) => {
      const { path, body } = await requestOf(operation);
      const wanted = operation.path.split('/');
      const parameters = path
        .split('?')[0]!
        .split('/')
        .filter((_, index) => wanted[index]!.startsWith(':'));
      const input = operations[nameOf(id)]?.input === undefined ? [] : [body];
      sent.length = 0;
      const answer = await methodsOf(presswork).get(nameOf(id))!(...parameters, ...input);
      expect(sent).toHaveLength(1);
      expect(sent[0]).toMatchObject({ method: operation.method, url: `${api.origin}/v1${path}` });
      expect(sent[0]?.body).toEqual(body === undefined ? undefined : JSON.stringify(body));
      expect(sent[0]?.headers.has('idempotency-key')).toBe(operation.idempotency !== undefined);
      expect(Object.keys(answer)).not.toContain('meta');
      expect(answer.meta).toMatchObject({ requestId: expect.any(String), replayed: false });
      expect(answer.meta['rateLimit']).toMatchObject({ limit: expect.any(Number) });
    },
  );
});
