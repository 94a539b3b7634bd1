import { join } from 'node:path';
import { readJson } from '../../runtime/home.ts';
import { writeJson } from './home.ts';
import { endProcesses, isRunning } from './processes.ts';
import type { NotedChild } from './supervised.ts';

const childrenFile = (home: string): string => join(home, 'children.json');

/** Records which processes use the folder, so that the next start can stop those that a kill left behind. */
export const noteChildren = (home: string, children: readonly NotedChild[]): void =>
  writeJson(childrenFile(home), children);

/** The processes that the last start recorded, running or not. */
export const readChildren = (home: string): readonly NotedChild[] =>
  readJson<NotedChild[]>(childrenFile(home)) ?? [];

/** Stops the programs of a killed supervisor: the programs first, then their servers. */
export async function reclaimChildren(home: string): Promise<void> {
  const left = readChildren(home).filter(isRunning);
  if (left.length === 0) return;
  console.log(`Stopping what an earlier start left running: ${left.map(({ name }) => name).join(', ')} …`);
  // Unfinished requests are rolled back; accepted ones are committed.
  await endProcesses(
    left.filter(({ role }) => role === 'application'),
    1_000,
  );
  await endProcesses(
    left.filter(({ role }) => role === 'server'),
    4_000,
  );
}
