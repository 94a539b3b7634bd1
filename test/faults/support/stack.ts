import { createDatabase } from '../../../db/database.ts';
import type { Database } from '../../../db/database.ts';
import { eventNames } from '../../../domain/events/catalogue.ts';
import { addCredits } from '../../../domain/usage/credits.ts';
import { scopes } from '../../../domain/access/scopes.ts';
import type { Transport } from '../../../sdk/src/send.ts';
import { closeReceivers } from '../../support/receivers.ts';
import { Client } from './client.ts';
import { Load } from './load.ts';
import type { Pace } from './load.ts';
import { startProduct, startSecond } from './product.ts';
import type { Product } from './product.ts';
import { liveReceiver } from './receivers.ts';
import type { LiveReceiver } from './receivers.ts';
import { recovery } from './recovery.ts';

/** A product under load, with receivers of its webhooks. */
export interface Stack {
  readonly product: Product;
  /** A second API and worker, if there are. */
  readonly second: Product | null;
  readonly client: Client;
  /** Finds out whether the product works; not counted with the load. */
  readonly prober: Client;
  /** With a publishable key. */
  readonly visitor: Client;
  readonly load: Load;
  readonly receivers: readonly LiveReceiver[];
  /** The database, for what no client can see. */
  readonly db: Database;
  readonly categoryId: string;
  /** Events from before any endpoint existed. */
  readonly earlierEvents: ReadonlySet<string>;
  close(): Promise<void>;
}

/** Keys that share the load: each may write 120 times a minute, and upload 60 times. */
const KEYS = 30;
/** An article of the pipeline costs 19 credits; the demo organisation has 1,000. */
const CREDITS = 100_000;
/** Short, so that failed deliveries are retried soon after a fault. */
const RETRY_DELAYS = '500ms,1s,2s,4s,8s';

interface StackOptions {
  /** In addition to the product's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** The data folder; by default a temporary one. */
  readonly home?: string;
  readonly pace?: Pace;
  /** Whether there are two APIs and two workers. */
  readonly doubled?: boolean;
  /** The rules by which the load retries; by default it does so sooner than the SDK. */
  readonly retry?: Transport['retry'];
}

/** Starts a product, and waits until everything works. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  // One that accepts everything, and one that fails occasionally.
  const receivers = [await liveReceiver(), await liveReceiver((count) => count % 7 === 0)];
  const env = {
    WEBHOOK_ALLOWED_HOSTS: receivers.map(({ host }) => host).join(','),
    WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
    ...options.env,
  };
  const product = await startProduct(env, options.home);
  const second = options.doubled ? await startSecond(product, env) : null;
  const bases = [product, ...(second ? [second] : [])].map(({ origin }) => `${origin}/v1`);
  const prober = new Client(bases, [product.key]);
  const keys: string[] = [];
  for (let number = 1; number <= KEYS; number += 1) {
    const body = { name: `Load ${number}`, kind: 'secret', scopes };
    const { data } = await prober.send('POST', '/keys', { body, idempotent: true, answers: [201] });
    keys.push(data.secret);
  }
  const client = new Client(bases, keys, options.retry);
  const visitor = new Client(bases, [product.publishableKey], options.retry);
  for (const receiver of receivers) {
    const body = { url: receiver.url, events: eventNames };
    const { data } = await client.send('POST', '/webhooks', { body, idempotent: true, answers: [201] });
    receiver.secret = data.secret;
  }
  await client.send('PATCH', '/comments/settings', {
    body: { enabled: true, moderation: 'none' },
    answers: [200],
  });
  const category = await client.send('POST', '/categories', {
    body: { name: 'Under load' },
    idempotent: true,
    answers: [201],
  });
  const db = createDatabase({
    connectionString: product.addresses.database_url,
    applicationName: 'fault-tests',
    poolSize: 4,
  });
  // The load may be more than all keys of one Site may send.
  const { rows } = await db.pool.query<{ id: string }>('update organisations set limits = 1000 returning id');
  await db.transaction(async (tx) => {
    for (const { id } of rows) await addCredits(tx, id, CREDITS, new Date());
  });
  const earlier = await db.pool.query<{ id: string }>('select id from events');
  const load = new Load(client, visitor, category.data.id, options.pace);
  const stack: Stack = {
    product,
    second,
    client,
    prober,
    visitor,
    load,
    receivers,
    db,
    categoryId: category.data.id,
    earlierEvents: new Set(earlier.rows.map(({ id }) => id)),
    async close() {
      await db.close();
      await second?.stop();
      await product.stop();
      await closeReceivers();
    },
  };
  await recovery(stack);
  return stack;
}
