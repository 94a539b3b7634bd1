import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../dev/home.ts';

export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

export function readAlerts(): readonly Alert[] {
  const { groups } = parse(readDocument('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

interface Target {
  readonly expr: string;
  readonly legendFormat?: string;
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly title: string; readonly targets?: readonly Target[] }[];
}

const dashboards = 'deploy/grafana/dashboards';

const readDashboards = (): readonly Dashboard[] =>
  readdirSync(join(root, dashboards)).map(
    (file) => JSON.parse(readDocument(join(dashboards, file))) as Dashboard,
  );

/** What Grafana puts in the place of its variables. */
const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h');

/** By what workers are scaled. */
function readTriggers(): readonly string[] {
  const { spec } = parse(readDocument('deploy/kubernetes/backlog/scaled-object.yaml')) as {
    spec: { triggers: { type: string; metadata: { query?: string } }[] };
  };
  return spec.triggers.flatMap(({ metadata }) => metadata.query ?? []);
}

/** Every query of the repository, with where it stands. */
export const listQueries = (): readonly { readonly from: string; readonly expression: string }[] => [
  ...readTriggers().map((expression) => ({ from: 'backlog', expression })),
  ...readAlerts().map(({ alert, expr }) => ({ from: alert, expression: expr })),
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
