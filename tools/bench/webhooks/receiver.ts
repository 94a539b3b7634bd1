import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../runtime/home.ts';
import { stop } from '../processes.ts';
import type { Arrival, ReceiverOrder, ReceiverReport } from './receiver-process.ts';

/** The deliveries at a path of the receiver. */
export interface Inbox {
  /** The first arrival of each event that was answered with a 2xx, by its id. */
  readonly arrivals: ReadonlyMap<string, Arrival>;
  /** All requests, including repetitions and those answered otherwise. */
  readonly requests: number;
}

/** A webhook receiver in its own process. */
export interface Receiver {
  readonly pid: number;
  /** The origin at which it answers at once, on any path. */
  readonly origin: string;
  /** The origin at which it accepts requests and never answers. */
  readonly deadOrigin: string;
  answerWith(status: number): void;
  inbox(path: string): Promise<Inbox>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(join(root, 'tools/bench/webhooks/receiver-process.ts'), {
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
  if (!('live' in ports)) throw new Error('The receiver did not report its ports');
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
      if (!('arrivals' in report)) throw new Error('The receiver did not report what it received');
      return report;
    },
    stop: () => stop(child),
  };
}
