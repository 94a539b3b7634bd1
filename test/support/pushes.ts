import { randomBytes } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Ports } from '../../api/framework/ports.ts';
import { createCmsAdapters } from '../../adapters/cms/create-adapters.ts';
import type { CmsAdapters } from '../../adapters/cms/create-adapters.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { createCmsPushActivities } from '../../activities/cms-push.ts';
import type { PushQueueState } from '../../activities/cms-push.ts';
import type { Ports as ActivityPorts } from '../../activities/ports.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import { startOnSharedDatabase } from './api.ts';
import type { Answer, TestApi } from './api.ts';
import { buildPublished, buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';
import { TestClock } from './clock.ts';
import { forgetLimits } from './limits.ts';
import { createTestObjects } from './objects.ts';
import { testRenderer } from './renderer.ts';
import { silent } from './temporal.ts';

type PushPorts = Pick<ActivityPorts, 'db' | 'clock' | 'log' | 'box' | 'objects' | 'adapters' | 'retryDelays'>;

/** The API and the activities that push, on one database, with their own clock. */
export interface PushStack {
  readonly api: TestApi;
  readonly tenant: Tenant;
  readonly clock: TestClock;
  /** `host:port` of remotes of this test. */
  readonly allowedHosts: Set<string>;
  readonly ports: PushPorts;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a connection. @throws Error if it is refused */
  connect(values: object): Promise<any>;
  /** A published article. */
  publish(values?: object): Promise<any>;
  /** Requests a push. @returns it */
  push(connectionId: string, articleIds: readonly string[], values?: object): Promise<any>;
  /** Pushes what is due, like the workflow of the connection. */
  work(connectionId: string, ports?: Partial<PushPorts>): Promise<PushQueueState>;
  /** Requests a push of one article and makes it. @returns its item */
  pushed(connectionId: string, articleId: string, values?: object): Promise<any>;
  /** Every item of a push as it is now. */
  items(pushId: string): Promise<any[]>;
  /** For the next test: deletes the connections of its Site. */
  disconnect(): Promise<void>;
  /** Forgets what its Site has used of its limits. */
  forgetLimits(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param own adapters in place of those of the product
 * @param start starts the API
 */
export async function startPushes(
  own: Partial<CmsAdapters> = {},
  start: (ports: Partial<Ports>) => Promise<TestApi> = startOnSharedDatabase,
): Promise<PushStack> {
  const clock = new TestClock();
  const box = createSecretBox(randomBytes(32));
  const allowedHosts = new Set<string>();
  const names = new Names({ keepMs: 0, keepFailureMs: 0 });
  const http = createGuardedClient({ allowedHosts, names });
  const adapters = {
    ...createCmsAdapters({ http, clock, names, allowedHosts, renderer: testRenderer }),
    ...own,
  };
  const objects = createTestObjects();
  const api = await start({
    clock,
    box,
    objects,
    remotes: adapters,
    webhookUrls: { allowedHosts, names },
  });
  const tenant = await buildTenant(api.db);
  const ports: PushPorts = {
    db: api.db,
    clock,
    log: silent,
    box,
    adapters,
    objects,
    retryDelays: defaultRetryDelays,
  };

  const request: PushStack['request'] = (method, path, body, headers) =>
    api.request(method, path, { key: tenant.secretKey, body, ...(headers && { headers }) });
  const expected = async (status: number, ...call: Parameters<typeof request>): Promise<any> => {
    const answer = await request(...call);
    if (answer.status !== status) throw new Error(`${call[0]} ${call[1]}: ${answer.text}`);
    return answer.data;
  };
  const work: PushStack['work'] = (connectionId, others = {}) =>
    new MockActivityEnvironment().run(
      createCmsPushActivities({ ...ports, ...others }).pushDue,
      connectionId,
    ) as Promise<PushQueueState>;
  const push: PushStack['push'] = (connectionId, articleIds, values = {}) =>
    expected(202, 'POST', '/delivery/cms/push', {
      connection_id: connectionId,
      article_ids: articleIds,
      ...values,
    });
  const items: PushStack['items'] = async (pushId) =>
    (await expected(200, 'GET', `/delivery/pushes/${pushId}`)).items;

  return {
    api,
    tenant,
    clock,
    allowedHosts,
    ports,
    request,
    forgetLimits: () => forgetLimits(api.db, tenant.siteId),
    async disconnect() {
      await api.db.pool.query(
        'update cms_connections set deleted_at = now() where deleted_at is null and site_id = $1',
        [tenant.siteId],
      );
    },
    connect: (values) => expected(201, 'POST', '/delivery/connections', { name: 'A system', ...values }),
    publish: (values) => buildPublished(api, tenant.secretKey, values),
    push,
    work,
    items,
    async pushed(connectionId, articleId, values) {
      await forgetLimits(api.db, tenant.siteId);
      const { id } = await push(connectionId, [articleId], values);
      await work(connectionId);
      return (await items(id))[0];
    },
    async close() {
      await http.close();
      await api.close();
    },
  };
}
