import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../dev/home.ts';
import { stop } from '../processes.ts';
import type { Arrival, ReceiverOrder, ReceiverReport } from './receiver-process.ts';

/** What came to a path of the receiver. */
export interface Inbox {
  /** By the event's id: its first arrival that was answered with a 2xx. */
  readonly arrivals: ReadonlyMap<string, Arrival>;
  /** Those answered otherwise, and repetitions, included. */
  readonly requests: number;
}

/** A receiver of webhooks in a process of its own. */
export interface Receiver {
  readonly pid: number;
  /** Where it answers at once; any path. */
  readonly origin: string;
  /** Where it takes requests and never answers. */
  readonly deadOrigin: string;
  /** With what it answers from now on. */
  answerWith(status: number): void;
  inbox(path: string): Promise<Inbox>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(root, 'bench/webhooks/receiver-process.ts'), {
    serialization: 'advanced',
    execArgv: [],
  });
  const heard = (): Promise<ReceiverReport> =>
    new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('The receiver has ended'));
      child.once('exit', gone);
      child.once('message', (report: ReceiverReport) => {
        child.off('exit', gone);
        resolve(report);
      });
    });
  const ports = await heard();
  if (!('live' in ports)) throw new Error('The receiver did not say where it listens');
  const tell = (order: ReceiverOrder): boolean => child.send(order);
  return {
    origin: `http://127.0.0.1:${ports.live}`,
    pid: child.pid ?? 0,
    deadOrigin: `http://127.0.0.1:${ports.dead}`,
    answerWith: (status) => void tell({ status }),
    async inbox(path) {
      const answer = heard();
      tell({ take: path });
      const report = await answer;
      if (!('arrivals' in report)) throw new Error('The receiver did not say what came');
      return report;
    },
    stop: () => stop(child),
  };
}
