import { startCommand } from '../support/command.ts';
import type { RunningCommand } from '../support/command.ts';

export interface Listener extends RunningCommand {
  /** Its lines about events, oldest first. */
  lines(): readonly string[];
}

export function startListener(...args: readonly string[]): Listener {
  const command = startCommand(['listen', ...args]);
  return {
    ...command,
    lines: () =>
      command
        .out()
        .split('\n')
        .filter((line) => /^\d{4}-/.test(line)),
  };
}
