import { once } from 'node:events';
import { createServer } from 'node:http';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { UsageError } from '../../../packages/command/usage.ts';

/** A receiver of webhooks in this process. */
export interface Receiver {
  readonly url: string;
  /** Resolves once it has a delivery that contains the text and is signed with the secret. */
  received(text: string, secret: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** A delivery of an article is far smaller. */
const MAX_BYTES = 2_000_000;

/** A delivery that somebody else made. */
const ignore = (): void => {};

interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** @throws UsageError if the address cannot be listened on */
export async function listenForDeliveries(host: string, port: number): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
      if (body.length > MAX_BYTES) request.destroy();
    });
    request.on('end', () => {
      deliveries.push({ body, headers: request.headers });
      response.writeHead(204).end();
      for (const look of waiting) look();
    });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new UsageError(`--listen: ${error.message}`);
  });
  return {
    url: `http://${host}:${port}/`,
    received: (text, secret, signal) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          for (const { body, headers } of deliveries) {
            if (body.includes(text)) verifyWebhook(body, headers, secret).then(() => end(resolve), ignore);
          }
        };
        const abort = (): void => end(() => reject(signal.reason as Error));
        const end = (settle: () => void): void => {
          waiting.delete(look);
          signal.removeEventListener('abort', abort);
          settle();
        };
        waiting.add(look);
        signal.addEventListener('abort', abort);
        look();
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
