import type { CmsAdapter } from '../../domain/cms/adapter.ts';
import type { ConnectionKind } from '../../domain/cms/config.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import type { AddressPorts } from '../http/checked-address.ts';
import type { GuardedClient } from '../http/guarded-client.ts';
import type { Renderer } from '../markdown/renderer.ts';
import { createGhostAdapter } from './ghost/adapter.ts';
import { createGitAdapter } from './git/adapter.ts';
import { createHttpAdapter } from './http/adapter.ts';
import { createWordPressAdapter } from './wordpress/adapter.ts';

export type CmsAdapters = Readonly<Record<ConnectionKind, CmsAdapter>>;

export interface AdapterPorts extends AddressPorts {
  /** With the operator's exemptions. */
  readonly http: GuardedClient;
  readonly clock: Clock;
  readonly renderer: Renderer;
}

/** The adapter of each kind of system. */
export const createCmsAdapters = (ports: AdapterPorts): CmsAdapters => ({
  git: createGitAdapter(ports),
  ghost: createGhostAdapter(ports),
  wordpress: createWordPressAdapter(ports),
  http: createHttpAdapter(ports),
});
