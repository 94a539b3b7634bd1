import { createServer } from 'node:http';
import { once } from 'node:events';
import { register } from 'prom-client';
import { SettingError } from '../config/settings.ts';

export interface Scraped {
  /** Bring gauges up to date before each scrape. They do not fail. */
  readonly readings: readonly (() => Promise<void>)[];
  /** Another exposition to be appended, empty where there is none. It does not fail. */
  readonly more?: () => Promise<string>;
}

/**
 * Answers `GET /metrics` in Prometheus' text format. It ends with the process, so that one that is draining can still
 * be seen.
 *
 * @throws SettingError where the port cannot be listened on
 */
export async function serveMetrics(
  { port, host }: { readonly port: number; readonly host: string },
  { readings, more }: Scraped,
): Promise<void> {
  const expose = async (): Promise<string> => {
    const [extra = ''] = await Promise.all([more?.(), ...readings.map((read) => read())]);
    return (await register.metrics()) + extra;
  };
  // Two scrapes at once are one.
  let exposing: Promise<string> | undefined;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    exposing ??= expose().finally(() => (exposing = undefined));
    exposing.then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.unref().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SettingError(
      code === 'EADDRINUSE' ? `METRICS_PORT: ${port} is in use` : `METRICS_HOST: ${message}`,
    );
  }
}
