import { createHash } from 'node:crypto';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { httpReceiver } from '../../support/receivers.ts';

/** A live webhook receiver, which accepts correctly signed deliveries. */
export interface LiveReceiver {
  /** host:port, for WEBHOOK_ALLOWED_HOSTS. */
  readonly host: string;
  readonly url: string;
  /** Set once the endpoint is registered. */
  secret: string;
  /** The number of arrivals of each event. */
  readonly events: ReadonlyMap<string, number>;
  /** Deliveries with a wrong signature, or with other bytes than before. */
  readonly wrong: readonly string[];
}

/** @param refuse whether it refuses this delivery, counted from 1 */
export async function liveReceiver(refuse: (count: number) => boolean = () => false): Promise<LiveReceiver> {
  const events = new Map<string, number>();
  const bodies = new Map<string, string>();
  const wrong: string[] = [];
  let count = 0;
  const server = await httpReceiver(({ body, headers }, response) => {
    // Otherwise it would keep the bodies of an hour.
    server.seen.length = 0;
    count += 1;
    if (refuse(count)) return response.writeHead(500).end();
    const { id } = JSON.parse(body) as { id: string };
    const hash = createHash('sha256').update(body).digest('hex');
    verifyWebhook(body, headers, receiver.secret).catch((error: Error) =>
      wrong.push(`${id}: ${error.message}`),
    );
    if ((bodies.get(id) ?? hash) !== hash) wrong.push(`${id}: its bytes have changed`);
    bodies.set(id, hash);
    events.set(id, (events.get(id) ?? 0) + 1);
    response.end();
  });
  const receiver: LiveReceiver = {
    host: new URL(server.url).host,
    url: `${server.url}/hook`,
    secret: '',
    events,
    wrong,
  };
  return receiver;
}
