import { createHash } from 'node:crypto';
import { verifyWebhook } from '../../../net/webhook-signature.ts';
import { httpReceiver } from '../../net/receivers.ts';

/** A live receiver of webhooks, which takes whatever is signed as it should be. */
export interface LiveReceiver {
  /** host:port, for WEBHOOK_ALLOWED_HOSTS. */
  readonly host: string;
  readonly url: string;
  /** Set once the endpoint is registered. */
  secret: string;
  /** Each event that came, with how often. */
  readonly events: ReadonlyMap<string, number>;
  /** What came that was not signed as it should be, or whose bytes were others than before. */
  readonly wrong: readonly string[];
}

/** @param refuse whether it answers this delivery, counted from 1, with an error */
export async function liveReceiver(refuse: (count: number) => boolean = () => false): Promise<LiveReceiver> {
  const events = new Map<string, number>();
  const bodies = new Map<string, string>();
  const wrong: string[] = [];
  let count = 0;
  const server = await httpReceiver(({ body, headers }, response) => {
    count += 1;
    if (refuse(count)) return response.writeHead(500).end();
    const verified = verifyWebhook(body, headers, receiver.secret);
    const { id } = JSON.parse(body) as { id: string };
    const hash = createHash('sha256').update(body).digest('hex');
    if (!verified.ok) wrong.push(`${id}: ${verified.reason}`);
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
