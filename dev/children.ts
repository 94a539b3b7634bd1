import { join } from 'node:path';
import { readJson, writeJson } from './home.ts';
import { endProcesses, isRunning } from './processes.ts';
import type { NotedChild } from './supervised.ts';

const childrenFile = (home: string): string => join(home, 'children.json');

/** Notes which processes run on the folder, so that the next start can end what a kill left behind. */
export const noteChildren = (home: string, children: readonly NotedChild[]): void =>
  writeJson(childrenFile(home), children);

/** The processes that the last start noted, running or not. */
export const readChildren = (home: string): readonly NotedChild[] =>
  readJson<NotedChild[]>(childrenFile(home)) ?? [];

/** Ends what a killed supervisor left running: first what works, then what it stands on. */
export async function reclaimChildren(home: string): Promise<void> {
  const left = readChildren(home).filter(isRunning);
  if (left.length === 0) return;
  console.log(`Ending what an earlier start left running: ${left.map(({ name }) => name).join(', ')} …`);
  // A request that is half done is rolled back; what has been accepted is committed.
  await endProcesses(
    left.filter(({ role }) => role === 'application'),
    1_000,
  );
  await endProcesses(
    left.filter(({ role }) => role === 'server'),
    4_000,
  );
}
