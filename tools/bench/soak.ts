import { parseArgs } from 'node:util';
import { StartError } from '../dev/home.ts';
import { exitCodeOf, startJest } from '../dev/jest.ts';
import { findObjectStore, findTemporal } from '../dev/tools.ts';
import { run } from './run.ts';

const USAGE = `npm run bench:soak -- [--minutes 60] [--kill-every 60] [--rate 100]
  two APIs and two workers at a constant rate, while one process after another is killed; all of them once, and a rolling
  deploy in the middle; it prints the tables of docs/capacity.md
  --minutes N     how long
  --kill-every N  the seconds from one kill to the next
  --rate N        requests a second`;

/** The fewest intervals in which each fault occurs. */
const LEAST = 15;

/** @throws StartError with the usage */
function readOptions(): Readonly<Record<string, string>> {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ options: { minutes: text, 'kill-every': text, rate: text } });
    const { minutes = '60', 'kill-every': every = '60', rate = '100' } = values;
    const faults = (Number(minutes) * 60) / Number(every);
    if (!(faults >= LEAST && Number(every) > 0 && Number(rate) > 0)) throw new StartError(USAGE);
    return { SOAK_MINUTES: minutes, SOAK_KILL_EVERY: every, SOAK_RATE: rate };
  } catch {
    throw new StartError(USAGE);
  }
}

run(async (onEnd) => {
  const settings = readOptions();
  await Promise.all([findTemporal(), findObjectStore()]);
  const jest = await startJest(
    ['--config', 'test/faults/jest.config.js', '--runTestsByPath', 'test/faults/soak.test.ts'],
    settings,
  );
  onEnd(async () => void jest.kill());
  return exitCodeOf(jest);
});
