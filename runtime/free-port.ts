import { randomInt } from 'node:crypto';
import { listenOnce } from './listening.ts';

/** Below the ephemeral ports, so that no other program gets such a port by chance. */
const PORTS = { from: 15_000, to: 32_000 } as const;
const PORTS_OF_PROCESS = 100;

/** Each process has its part, so that processes that look for a port at the same time do not find the same one. */
const parts = (PORTS.to - PORTS.from) / PORTS_OF_PROCESS;
const first = PORTS.from + (process.pid % parts) * PORTS_OF_PROCESS;
/** It goes round in its part, and begins anywhere, as another process may have the same part. */
let next = randomInt(PORTS_OF_PROCESS);

/** A port that is free now, and that this process is not told again soon. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_OF_PROCESS; tried += 1) {
    const port = first + (next % PORTS_OF_PROCESS);
    next += 1;
    if ((await listenOnce(port)) === port) return port;
  }
  throw new Error(`No port from ${first} to ${first + PORTS_OF_PROCESS - 1} is free on this machine.`);
}
