import { readdirSync } from 'node:fs';
import { register } from '@prometheus-io/client';

interface Metric {
  readonly name: string;
  readonly help: string;
  /** The labels whose values are known from the start. The help text tells of others. */
  readonly labels: Readonly<Record<string, ReadonlySet<string>>>;
}

/** Every metric of the product that this folder declares, in the order of the names. */
export async function listMetrics(): Promise<readonly Metric[]> {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts'));
  for (const name of files) await import(`./${name}`);
  const metrics = (await register.getMetricsAsJSON()).filter(({ name }) => name.startsWith('presswork_'));
  return metrics
    .map(({ name, help, values }) => {
      const labels: Record<string, Set<string>> = {};
      for (const value of values)
        for (const [label, text] of Object.entries(value.labels))
          // Every histogram has `le`, for its buckets.
          if (label !== 'le') (labels[label] ??= new Set()).add(String(text));
      return { name, help, labels };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
