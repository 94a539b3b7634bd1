import type { Context } from 'koa';
import { clientNetwork } from '../../../domain/access/client-network.ts';
import { invalidRequest, ServiceError } from '../../../domain/kernel/errors.ts';
import { readBody, releaseBody } from '../../http/body.ts';
import { requestIdOf } from '../../framework/envelope.ts';
import type { Ports } from '../../framework/ports.ts';
import { isUuid } from '../../../packages/base/fields.ts';
import { visit } from '../sign-in/page.ts';
import { parseBody } from '../../framework/validate-body.ts';
import { accountRoutes } from './account-routes.ts';
import { requireOwnPage } from './own-requests.ts';
import { offerRoutes } from './offers.ts';
import { passwordRoutes } from './password-routes.ts';
import { pendingEditRoutes } from './pending-edits.ts';
import { peopleRoutes } from './people.ts';
import { previewRoutes } from './preview.ts';
import { proveRoutes } from './prove-route.ts';
import { notSignedIn } from './refusals.ts';
import type { DashboardRoute } from './route.ts';
import { scheduleRoutes } from './schedules.ts';
import { sessionRoutes } from './session-routes.ts';
import { twoFactorRoutes } from './two-factor-routes.ts';

const PREFIX = '/dashboard/api';

const routes = [
  ...accountRoutes,
  ...sessionRoutes,
  ...passwordRoutes,
  ...twoFactorRoutes,
  ...proveRoutes,
  ...previewRoutes,
  ...offerRoutes,
  ...pendingEditRoutes,
  ...peopleRoutes,
  ...scheduleRoutes,
].map((route) => ({
  route,
  names: [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
  form: new RegExp(`^${PREFIX}${route.path.replaceAll(/:\w+/g, '([^/]+)')}$`),
}));

export const isApi = (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`);

/** Answers the requests of the dashboard that are beside the API (dashboard/README.md). */
export async function answerApi(ports: Ports, ctx: Context): Promise<void> {
  ctx.state.measuredAs = 'dashboard';
  ctx.set('Cache-Control', 'no-store');
  requireOwnPage(ports, ctx);
  const visited = await visit(ports, ctx);
  if (visited.session === null) throw notSignedIn();
  const { route, params } = find(ctx);
  const sent = await readBody(ctx.req, clientNetwork(ports.clientAddress(ctx.req))).finally(() =>
    releaseBody(ctx.req),
  );
  const body = parseBody(route.body === undefined ? {} : { body: route.body }, sent, ports);
  const { status, data } = await route.handle({
    ...visited,
    visit: visited,
    session: visited.session,
    params,
    body,
    requestId: requestIdOf(ctx),
  });
  ctx.status = status;
  if (data === undefined) return;
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({ data });
}

/** @throws ServiceError NOT_FOUND for an unknown path, INVALID_REQUEST with 405 for another method */
function find({ path, method }: Context): { route: DashboardRoute; params: Record<string, string> } {
  const found = routes.flatMap(({ route, names, form }) => {
    const values = form.exec(path)?.slice(1);
    if (values === undefined || !values.every(isUuid)) return [];
    return [{ route, params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }];
  });
  const wanted = found.find(({ route }) => route.method === method);
  if (wanted !== undefined) return wanted;
  if (found.length === 0) throw new ServiceError('NOT_FOUND', 'This path does not exist.');
  const allow = found.map(({ route }) => route.method).join(', ');
  throw invalidRequest(`The method is not allowed on this path. Allowed: ${allow}.`, {
    status: 405,
    headers: { Allow: allow },
  });
}
