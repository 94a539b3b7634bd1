import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import type { Sample } from '../../support/exposition.ts';
import { readDocument, readRecorded } from './queries.ts';

/** A selector of a query. */
export interface Query {
  readonly selectors: readonly Selector[];
  /** Labels used for grouping or matching. */
  readonly grouping: readonly string[];
}

export interface Selector {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** @throws Error if it is not PromQL */
export function readQuery(text: string): Query {
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${text}`);
      const slice = (part: { from: number; to: number }): string => text.slice(part.from, part.to);
      const { node: tree } = node;
      if (node.name === 'GroupingLabels') grouping.push(...tree.getChildren('LabelName').map(slice));
      if (node.name !== 'VectorSelector') return;
      const name = tree.getChild('Identifier');
      if (name === null) throw new Error(`A selector without a name: ${text}`);
      const matchers = tree.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      selectors.push({
        name: slice(name),
        matchers: matchers.map((matcher) => {
          const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) =>
            slice(matcher.getChild(part) ?? { from: 0, to: 0 }),
          );
          return { label: label!, operator: operator!, value: JSON.parse(value!) as string };
        }),
      });
    },
  });
  if (selectors.length === 0 && !/^vector\([\d.]+\)$/.test(text))
    throw new Error(`It selects nothing: ${text}`);
  return { selectors, grouping };
}

/** Labels and metrics that Prometheus adds itself. */
const targetLabels = new Set(['job', 'instance']);
const { scrape_configs: jobs } = parse(readDocument('deploy/prometheus/prometheus.yml')) as {
  scrape_configs: readonly { readonly job_name: string }[];
};
/** What exporters of others tell: Kubernetes' state, PostgreSQL's, and that of the disk with the backups. */
const ofExporters: readonly Sample[] = [
  { name: 'presswork_backup_last_success_timestamp_seconds', labels: {}, value: 1 },
  { name: 'kube_cronjob_status_last_successful_time', labels: { cronjob: 'presswork-backup' }, value: 1 },
  { name: 'kube_cronjob_created', labels: { cronjob: 'presswork-backup' }, value: 1 },
  { name: 'pg_replication_slot_slot_is_active', labels: { slot_name: 'backup' }, value: 1 },
  { name: 'node_filesystem_avail_bytes', labels: { mountpoint: '/backups' }, value: 1 },
  { name: 'node_filesystem_size_bytes', labels: { mountpoint: '/backups' }, value: 1 },
];
const ofPrometheus: readonly Sample[] = [
  ...ofExporters,
  ...jobs.map(({ job_name: job }) => ({ name: 'up', labels: { job }, value: 1 })),
  ...readRecorded().map(({ record, labels = {} }) => ({ name: record, labels, value: 0 })),
];

/** The selectors and labels of a query that no sample matches. */
export function unanswered(text: string, scraped: readonly Sample[]): string[] {
  const { selectors, grouping } = readQuery(text);
  const samples = [...scraped, ...ofPrometheus];
  const problems: string[] = [];
  const labels = new Set(targetLabels);
  for (const { name, matchers } of selectors) {
    const found = samples.filter((sample) => sample.name === name);
    if (found.length === 0) problems.push(`there is no ${name}`);
    for (const sample of found) for (const label of Object.keys(sample.labels)) labels.add(label);
    for (const { label, operator, value } of matchers) {
      if (targetLabels.has(label) && name !== 'up') continue;
      const pattern = new RegExp(`^(?:${operator.includes('~') ? value : escape(value)})$`);
      const matches = (sample: Sample): boolean => {
        const content = sample.labels[label];
        return content !== undefined && pattern.test(content) === !operator.startsWith('!');
      };
      if (!found.some(matches)) problems.push(`no ${name} has ${label}${operator}${JSON.stringify(value)}`);
    }
  }
  for (const label of grouping) if (!labels.has(label)) problems.push(`nothing has the label ${label}`);
  return problems;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
