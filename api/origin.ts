import type { Context } from 'koa';
import type { Ports } from './ports.ts';

/** Where this request's client reaches the service, without `/v1`: PUBLIC_URL, or the host it asked for. */
export const originFor = (ports: Pick<Ports, 'publicUrl'>, ctx: Context): string =>
  ports.publicUrl ?? `http://${ctx.host || 'localhost'}`;
