import { Counter } from 'prom-client';

const failures = new Counter({
  name: 'presswork_scrape_failures_total',
  help: 'Scrapes that went on without a source, because it could not be read in time.',
  labelNames: ['source'],
});

/** What is not counted as it happens, but read when somebody scrapes. */
export interface Source<Value> {
  readonly name: string;
  readonly read: () => Promise<Value>;
  readonly show: (value: Value) => void;
  /** Takes away what was shown before: a figure that cannot be read is missing, and not what it was. */
  readonly hide: () => void;
}

/** Together well below the ten seconds after which Prometheus gives up. */
const TIMEOUT_MS = 2_000;

/**
 * Makes the reading of a source that never fails and never takes long: what hangs is left out of this scrape, and is
 * not asked again before it has answered.
 */
export function reading<Value>({ name, read, show, hide }: Source<Value>): () => Promise<void> {
  failures.inc({ source: name }, 0);
  let underWay: Promise<Value> | undefined;
  const readOnce = async (): Promise<Value> => {
    if (underWay !== undefined) throw new Error('it has not answered the scrape before this one');
    underWay = read();
    try {
      return await underWay;
    } finally {
      underWay = undefined;
    }
  };
  return async () => {
    try {
      show(await within(readOnce()));
    } catch {
      hide();
      failures.inc({ source: name });
    }
  };
}

async function within<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
