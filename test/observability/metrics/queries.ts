import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../runtime/home.ts';

export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

/** A query whose result Prometheus keeps under a name. */
export interface Recorded {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Everything that Prometheus evaluates. */
function readRules(): readonly (Alert | Recorded)[] {
  const { rule_files: files } = parse(readDocument('deploy/prometheus/prometheus.yml')) as {
    rule_files: readonly string[];
  };
  return files.flatMap((file) => {
    const { groups } = parse(readDocument(`deploy/prometheus/${file}`)) as {
      groups: { rules: (Alert | Recorded)[] }[];
    };
    return groups.flatMap(({ rules }) => rules);
  });
}

export const readAlerts = (): readonly Alert[] => readRules().filter((rule) => 'alert' in rule);

export const readRecorded = (): readonly Recorded[] => readRules().filter((rule) => 'record' in rule);

interface Target {
  readonly expr: string;
  readonly legendFormat?: string;
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly title: string; readonly targets?: readonly Target[] }[];
}

const dashboards = 'deploy/grafana/dashboards';
/** It asks PostgreSQL: test/deploy/sites-dashboard.test.ts. */
const OF_SITES = 'sites.json';

const readDashboards = (): readonly Dashboard[] =>
  readdirSync(join(root, dashboards))
    .filter((file) => file !== OF_SITES)
    .map((file) => JSON.parse(readDocument(join(dashboards, file))) as Dashboard);

/** Replaces Grafana's variables by values. */
const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h');

/** The queries by which workers are scaled. */
function readTriggers(): readonly string[] {
  const { spec } = parse(readDocument('deploy/kubernetes/components/backlog/scaled-object.yaml')) as {
    spec: { triggers: { type: string; metadata: { query?: string } }[] };
  };
  return spec.triggers.flatMap(({ metadata }) => metadata.query ?? []);
}

/** Every query of the repository, with its source. */
export const listQueries = (): readonly { readonly from: string; readonly expression: string }[] => [
  ...readTriggers().map((expression) => ({ from: 'backlog', expression })),
  ...readAlerts().map(({ alert, expr }) => ({ from: alert, expression: expr })),
  ...readRecorded().map(({ record, expr }) => ({ from: record, expression: expr })),
  ...readDashboards().flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      (panel.targets ?? []).map(({ expr }) => ({
        from: `${title}, ${panel.title}`,
        expression: withoutVariables(expr),
      })),
    ),
  ),
];

/** The labels that legends of dashboards show. */
export const readLegends = (): readonly string[] =>
  readDashboards().flatMap(({ panels }) =>
    panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ legendFormat = '' }) =>
        [...legendFormat.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label),
      ),
    ),
  );
