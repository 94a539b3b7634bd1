import type { TestApi } from './api.ts';
import type { Tenant } from './builders.ts';
import { accessRequests } from './valid-requests/access.ts';
import { backlinkRequests } from './valid-requests/backlinks.ts';
import { scanRequests } from './valid-requests/scans.ts';
import { billingRequests } from './valid-requests/billing.ts';
import { pushRequests } from './valid-requests/pushes.ts';
import { commentRequests } from './valid-requests/comments.ts';
import { contentRequests } from './valid-requests/content.ts';
import { planRequests } from './valid-requests/plan.ts';
import { pipelineRequests } from './valid-requests/pipeline.ts';
import { webhookRequests } from './valid-requests/webhooks.ts';
import type { Build, ValidRequest } from './valid-requests/valid-request.ts';

export type { ValidRequest };

const builds: Readonly<Record<string, Build>> = {
  ...contentRequests,
  ...commentRequests,
  ...planRequests,
  ...pipelineRequests,
  ...backlinkRequests,
  ...scanRequests,
  ...accessRequests,
  ...billingRequests,
  ...webhookRequests,
  ...pushRequests,
};

/** The operations with a request, as `METHOD /path/:id`. */
export const requestedOperations = Object.keys(builds);

/** Creates what a request of this operation needs in the Site, by requests of its owner. */
export function validRequest(api: TestApi, tenant: Tenant, operation: string): Promise<ValidRequest> {
  const build = builds[operation];
  if (build === undefined) throw new Error(`test/support/valid-requests/ has no request for ${operation}`);
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  };
  return Promise.resolve(build({ api, tenant, send }));
}
