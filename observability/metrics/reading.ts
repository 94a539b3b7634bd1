import { Counter } from '@prometheus-io/client';
import { withTimeout } from '../../runtime/with-timeout.ts';

const failures = new Counter({
  name: 'presswork_scrape_failures_total',
  help: 'Scrapes that left a source out because it could not be read in time, by source.',
  labelNames: ['source'],
});

/** A figure that is read at each scrape instead of being counted as it happens. */
export interface Source<Value> {
  readonly name: string;
  readonly read: () => Promise<Value>;
  readonly show: (value: Value) => void;
  /** Removes the previous value: a figure that cannot be read is missing, not stale. */
  readonly hide: () => void;
}

/** Well below Prometheus's time-out of ten seconds. */
const TIMEOUT_MS = 2_000;

/**
 * Creates a reading of a source that never fails or blocks: a source that hangs is left out of the scrape, and is not
 * read again before it has answered.
 */
export function reading<Value>({ name, read, show, hide }: Source<Value>): () => Promise<void> {
  failures.inc({ source: name }, 0);
  let pending: Promise<Value> | undefined;
  const readOnce = async (): Promise<Value> => {
    if (pending !== undefined) throw new Error('it has not answered the previous scrape yet');
    pending = read();
    try {
      return await pending;
    } finally {
      pending = undefined;
    }
  };
  return async () => {
    try {
      show(await withTimeout(TIMEOUT_MS, readOnce()));
    } catch {
      hide();
      failures.inc({ source: name });
    }
  };
}
