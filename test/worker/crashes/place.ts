import { Names } from '../../../adapters/http/names.ts';
import { createSecretBox } from '../../../domain/kernel/secret-box.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';
import type { Receiver, Seen } from '../../support/receivers.ts';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { createAuthority } from '../../support/certificates.ts';
import { startGitServer } from '../../support/cms/git-server.ts';
import type { GitServer } from '../../support/cms/git-server.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { startSite } from '../../support/generated-site.ts';
import type { GeneratedSite } from '../../support/generated-site.ts';
import { prices, SECRET_KEY, startTestStripe } from '../../support/stripe/payments.ts';
import { WEBHOOK_SECRET } from '../../support/stripe/server.ts';
import { startTemporal } from '../../support/temporal.ts';
import type { TestTemporal } from '../../support/temporal.ts';
import { oneAtATime } from '../processes.ts';
import type { ProcessSettings, Workers } from '../processes.ts';

/** One database and one namespace, everything that a worker reaches from there, and the workers. */
export interface Place {
  readonly api: TestApi;
  readonly temporal: TestTemporal;
  readonly stripe: Awaited<ReturnType<typeof startTestStripe>>;
  readonly repository: GitServer;
  /** A site to crawl. */
  readonly site: GeneratedSite;
  /** The file of the authority by which the site is known. */
  readonly authorityFile: string;
  /** An address that answers each webhook, and what has arrived there. */
  receiver(path: string): { readonly url: string; readonly seen: () => readonly Seen[] };
  readonly settings: ProcessSettings;
  readonly workers: Workers;
  close(): Promise<void>;
}

/** A remote that takes its time, but less than a request may. */
export const SLOW = '/slow';
const SLOW_MS = 9_000;

export async function startPlace(): Promise<Place> {
  const authority = createAuthority();
  const { certificate: cert, key } = authority.issue('DNS:localhost');
  const [temporal, stripe, repository, site, receiver] = await Promise.all([
    startTemporal(),
    startTestStripe(),
    startGitServer(),
    startSite({ cert, key }, new Map()),
    startReceiver(),
  ]);
  const allowedHosts = new Set([`127.0.0.1:${receiver.port}`, repository.host]);
  const api = await startApi({
    payments: stripe.payments,
    box: createSecretBox(Buffer.from(ENCRYPTION_KEY, 'base64')),
    webhookUrls: { allowedHosts, names: new Names() },
  });
  const settings = {
    databaseUrl: api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: stripe.url,
      STRIPE_PRICES: JSON.stringify(prices),
      SCAN_ALLOWED_HOSTS: site.host,
      SCAN_CA_FILE: authority.file,
      WEBHOOK_ALLOWED_HOSTS: [...allowedHosts].join(','),
      WEBHOOK_RETRY_DELAYS: '1s,1s,1s,1s,1s',
    },
  };
  return {
    api,
    temporal,
    stripe,
    repository,
    site,
    authorityFile: authority.file,
    receiver: (path) => ({
      url: receiver.url + path,
      seen: () => receiver.seen.filter((seen) => seen.path === path),
    }),
    settings,
    workers: oneAtATime(() => settings),
    async close() {
      await Promise.all([api.close(), stripe.close(), temporal.close(), repository.close(), site.close()]);
      await closeReceivers();
      authority.remove();
    },
  };
}

const startReceiver = (): Promise<Receiver> =>
  httpReceiver(({ path }, response) => {
    if (path === SLOW) setTimeout(() => response.end(), SLOW_MS);
    else response.end();
  });

/** Work that a worker does, and that is killed with it. */
export interface Work {
  /** Each resolves when the worker is to be killed again. */
  readonly kills: readonly (() => Promise<unknown>)[];
  /** What must be true in the end, after the last of the workers. */
  readonly expectDone: () => Promise<void>;
}

/** Begins a work, while a worker runs. */
export type Begin = (place: Place) => Promise<Work>;
