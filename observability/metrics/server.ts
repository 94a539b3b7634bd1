import { createServer } from 'node:http';
import { once } from 'node:events';
import { register } from '@prometheus-io/client';
import { SettingError } from '../../runtime/settings.ts';

/** The answer of a probe: 200 if `ok`, else 503, and the rest as JSON. */
export interface Probe {
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

/** Probes by path, such as `/readyz`. */
export type Probes = Readonly<Record<string, () => Probe>>;

export interface Scraped {
  /** Update gauges before each scrape. They never reject. */
  readonly readings: readonly (() => Promise<void>)[];
  /** Another exposition to append, or an empty string. It never rejects. */
  readonly more?: () => Promise<string>;
  readonly probes?: Probes;
}

/**
 * Answers `GET /metrics` in Prometheus's text format, and probes. The server ends with the process, so a draining process is still
 * visible.
 *
 * @throws SettingError if the port cannot be used
 */
export async function serveMetrics(
  { port, host }: { readonly port: number; readonly host: string },
  { readings, more, probes = {} }: Scraped,
): Promise<void> {
  const expose = async (): Promise<string> => {
    const [extra = ''] = await Promise.all([more?.(), ...readings.map((read) => read())]);
    return (await register.metrics()) + extra;
  };
  // Concurrent scrapes are coalesced.
  let exposing: Promise<string> | undefined;
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? (request.url?.split('?')[0] ?? '') : '';
    const probe = Object.hasOwn(probes, path) ? probes[path] : undefined;
    if (probe !== undefined) {
      const { ok, ...details } = probe();
      response.writeHead(ok ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(details));
      return;
    }
    if (path !== '/metrics') {
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
