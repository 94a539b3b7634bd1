import type { ActionCount } from '../temporal-actions.ts';
import type { Cost, Idle } from './measure.ts';
import type { RowSize } from './rows.ts';

/** The costs as the table of docs/capacity.md. */
export function formatCosts(costs: readonly Cost[]): string {
  const header = [
    'Operation',
    'API statements',
    'round trips',
    'worker statements',
    'round trips',
    'WAL bytes',
    'after a checkpoint',
    'grown bytes',
    'Temporal actions',
    'history bytes',
    'S3 requests',
  ];
  const rows = costs.map((cost) => [
    cost.name,
    one(cost.apiStatements),
    one(cost.apiRoundTrips),
    one(cost.workerStatements),
    one(cost.workerRoundTrips),
    whole(cost.walBytes),
    whole(cost.walBytesAfterCheckpoint),
    whole(cost.grownBytes),
    one(cost.actions),
    whole(cost.historyBytes),
    one(cost.storeRequests),
  ]);
  return markdown([header, ...rows]);
}

export function formatRows(sizes: readonly RowSize[]): string {
  const rows = sizes.map(({ table, rows: count, tableBytes, indexBytes }) => [
    `\`${table}\``,
    whole(count),
    whole(tableBytes),
    whole(indexBytes),
    whole(tableBytes + indexBytes),
  ]);
  return markdown([['Table', 'rows', 'bytes a row', 'of indexes', 'together'], ...rows]);
}

export const formatIdle = (
  idle: Idle,
  { runs, actions, bytes }: ActionCount & { readonly runs: number },
): string =>
  `An idle worker: ${one(idle.workerStatements)} statements in ${one(idle.workerRoundTrips)} round trips and ` +
  `${whole(idle.walBytes)} bytes of WAL a second; ` +
  `housekeeping: ${one(actions / runs)} actions and ${whole(bytes / runs)} bytes of history a run (${runs} runs)`;

function markdown(lines: readonly (readonly string[])[]): string {
  const [header = [], ...rows] = lines;
  const rule = header.map((_, column) => (column === 0 ? '---' : '--:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const one = (value: number): string => (Math.round(value * 10) / 10).toString();

const whole = (value: number): string => Math.round(value).toLocaleString('en');
