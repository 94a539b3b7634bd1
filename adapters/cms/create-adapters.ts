import { PushFailure } from '../../domain/cms/adapter.ts';
import type { CmsAdapter } from '../../domain/cms/adapter.ts';
import type { ConnectionKind } from '../../domain/cms/config.ts';
import type { Clock } from '../../domain/clock.ts';
import type { AddressPorts } from '../http/checked-address.ts';
import type { GuardedClient } from '../http/guarded-client.ts';
import { createGitAdapter } from './git/adapter.ts';
import { createHttpAdapter } from './http/adapter.ts';

export type CmsAdapters = Readonly<Record<ConnectionKind, CmsAdapter>>;

export interface AdapterPorts extends AddressPorts {
  /** With the operator's exemptions. */
  readonly http: GuardedClient;
  readonly clock: Clock;
}

/** What brings articles to each kind of system. */
export const createCmsAdapters = (ports: AdapterPorts): CmsAdapters => ({
  git: createGitAdapter(ports),
  ghost: unreachable,
  wordpress: unreachable,
  http: createHttpAdapter(ports),
});

const refuse = async (): Promise<never> => {
  throw new PushFailure('This version cannot push to systems of this kind.', { final: true });
};
const unreachable: CmsAdapter = { batch: 1, test: refuse, push: refuse };
