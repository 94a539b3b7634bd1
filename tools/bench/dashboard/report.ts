import type { DashboardFigures } from './measure.ts';

/** Lines for the report, with the budgets of dashboard/README.md. */
export function formatDashboard({ cold, warm, list, scrolled, typed }: DashboardFigures): string {
  const { before, after } = scrolled;
  return [
    `first rows of 100,000, nothing cached   ${times(cold)}   budget 1,000 ms`,
    `the same with everything cached         ${times(warm)}`,
    `the request for the list alone          ${times(list)}`,
    `memory with ${before.rows} rows                     ${kept(before)}`,
    `memory with ${after.rows} rows                   ${kept(after)}`,
    `a keystroke in 100 KB                   p50 ${one(typed.p50)}, p95 ${one(typed.p95)}, longest ${one(typed.longest)} ms   budget p95 16 ms`,
  ].join('\n');
}

function times(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `p50 ${Math.round(sorted[sorted.length >> 1] ?? 0)}, longest ${Math.round(sorted.at(-1) ?? 0)} ms`;
}

const kept = ({ heapMegabytes, nodes }: DashboardFigures['scrolled']['after']): string =>
  `${one(heapMegabytes)} MB of objects, ${nodes} nodes`;

const one = (value: number): string => value.toFixed(1);
