import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

const folder = join(root, 'docs/runbook');

/** The text of every file of docs/runbook, by its name. */
export const runbook: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);

export const wholeRunbook = [...runbook.values()].join('\n');
