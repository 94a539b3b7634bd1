import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../../dev/home.ts';
import { run } from '../run.ts';
import type { OnEnd } from '../run.ts';
import { measureCost, measureIdle } from './measure.ts';
import type { Cost } from './measure.ts';
import { createOperations } from './operations.ts';
import { formatCosts, formatIdle, formatRows } from './report.ts';
import { measureRows } from './rows.ts';
import { startCostStack } from './stack.ts';

const USAGE = `npm run bench:costs -- [--json FILE]
  what each operation costs PostgreSQL, Temporal and S3, including its follow-up work: the tables of docs/capacity.md`;

const size = { sites: 10, articles: 10_000, comments: 50_000, keys: 1_000 };

async function main(onEnd: OnEnd): Promise<number> {
  const json = readOptions();
  const home = mkdtempSync(join(tmpdir(), 'presswork-costs-'));
  onEnd(async () => rmSync(home, { recursive: true, force: true }));
  const stack = await startCostStack(home, size, onEnd);
  const idle = await measureIdle(stack);
  const costs: Cost[] = [];
  for (const operation of await createOperations(stack)) {
    const cost = await measureCost(stack, operation, idle);
    costs.push(cost);
    console.log(JSON.stringify(cost));
  }
  const rows = await measureRows(stack.sql);
  const housekeeping = await stack.housekeeping();
  console.log(`\n${formatCosts(costs)}\n\n${formatRows(rows)}\n\n${formatIdle(idle, housekeeping)}`);
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ costs, rows, idle, housekeeping }, null, 2)}\n`);
  return 0;
}

/** @throws StartError with the usage */
function readOptions(): string | undefined {
  try {
    return parseArgs({ options: { json: { type: 'string' } } }).values.json;
  } catch {
    throw new StartError(USAGE);
  }
}

run(main);
