import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { listMetrics } from '../../observability/metrics/list.ts';
import { root } from '../../runtime/home.ts';
import { expectCounts } from '../../worker/counted-kinds.ts';

interface RuleFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert?: string;
      readonly for?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
    }[];
  }[];
}

/** A sentence about a firing alert, with `…` for what Prometheus fills in. */
const withoutValues = (summary: string): string => summary.replaceAll(/\{\{.*?\}\}/g, '…');

/** docs/runbook/alerts.md: every alert, with the place in the runbook that says what to do. */
export function alertsDocument(): string {
  const rules = ['alerts.yml', 'slo.yml']
    .map((name) => parse(readFileSync(join(root, 'deploy/prometheus', name), 'utf8')) as RuleFile)
    .flatMap(({ groups }) => groups.flatMap((group) => group.rules));
  const rows = rules.flatMap(({ alert, for: after, labels = {}, annotations = {} }) => {
    if (alert === undefined) return [];
    const { summary = '', runbook = '' } = annotations;
    const link = runbook.replace('docs/runbook/', '');
    return `| [${alert}](${link}) | ${labels['severity']} | ${after ?? 'at once'} | ${withoutValues(summary)} |\n`;
  });
  return `# Alerts

<!-- From deploy/prometheus/*.yml by npm run generate; do not edit. -->

A \`page\` is about what clients notice now; a \`ticket\` can wait for the morning.
The name of an alert leads to what to do.

| Alert | Severity | Fires after | It says |
| --- | --- | --- | --- |
${rows.join('')}`;
}

/** docs/runbook/metrics.md: every metric of the product. */
export async function metricsDocument(): Promise<string> {
  expectCounts();
  const rows = (await listMetrics()).map(({ name, help, labels }) => {
    const told = Object.entries(labels).map(
      ([label, values]) => `\`${label}\`: ${[...values].map((value) => `\`${value}\``).join(', ')}`,
    );
    return `| \`${name}\` | ${help} | ${told.join('; ')} |\n`;
  });
  return `# Metrics

<!-- From observability/metrics/ by npm run generate; do not edit. -->

With \`METRICS_PORT\` set, each process answers \`GET /metrics\` on that port of \`METRICS_HOST\` in Prometheus' text format.
Under \`npm start\` the API takes the port and the worker the next one.
[deploy.md](../deploy.md#metrics) says how to have them scraped.
The dashboards are [deploy/grafana/dashboards](../../deploy/grafana/dashboards), the alerts [here](alerts.md).

\`\`\`sh
METRICS_PORT=9464 npm start
curl -s http://127.0.0.1:9464/metrics | grep ^presswork_
\`\`\`

## Probes of a worker

On the same port a worker answers probes, with 200 or 503 and what it looked at as JSON:

- \`/readyz\`: 200 if its Temporal workers run, and its relay, its publisher and its poll have made a pass in the last 30 s.
  Also 200 while Temporal cannot be reached (\`"temporal":"unreachable"\`), because it publishes and sends webhooks without it.
  503 while it connects, if Temporal answers and does not let it start (\`"starting"\`), and once it ends.
- \`/livez\`: 200 if these loops have made a pass in the last 5 minutes.

## What is counted

Everything carries \`process\`, \`api\` or \`worker\`.
No label holds an id, an address or a Site; the log names the Site.
What waits in the database is read by every process, so that a dead one hides nothing.

| Metric | What it tells | Labels |
| --- | --- | --- |
${rows.join('')}| \`presswork_backup_last_success_timestamp_seconds\` | When the last base backup of the compose file began that was finished. | |
| \`nodejs_*\`, \`process_*\` | Event-loop lag, memory, processor, garbage collection, as [the client](https://github.com/prometheus/client_js) has them. | |
| \`temporal_*\` | The SDK's own: slots, pollers, schedule-to-start latency, workflows by type; see [its reference](https://docs.temporal.io/references/sdk-metrics). | |
`;
}
