import type { TelemetryOptions } from '@temporalio/worker';
import { freePort } from '../../runtime/free-port.ts';
import { reading } from './reading.ts';

export interface SdkMetrics {
  /** The runtime's telemetryOptions. */
  readonly options: NonNullable<TelemetryOptions['metrics']>;
  /** The SDK's metrics in Prometheus's text format; empty if it does not answer. */
  readonly expose: () => Promise<string>;
}

/**
 * Enables the metrics of Temporal's SDK. The SDK serves them itself, on a free loopback port, from which they are
 * fetched when ours are scraped (observability/README.md).
 */
export async function sdkMetrics(): Promise<SdkMetrics> {
  const address = `127.0.0.1:${await freePort()}`;
  let text = '';
  const read = reading({
    name: 'temporal_sdk',
    read: async () => {
      const answer = await fetch(`http://${address}/metrics`);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      return answer.text();
    },
    show: (found) => (text = found),
    hide: () => (text = ''),
  });
  return {
    options: {
      globalTags: { process: 'worker' },
      attachServiceName: false,
      prometheus: {
        bindAddress: address,
        countersTotalSuffix: true,
        unitSuffix: true,
        useSecondsForDurations: true,
      },
    },
    async expose() {
      await read();
      return text;
    },
  };
}
