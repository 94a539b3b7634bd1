import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../runtime/home.ts';
import { stop } from '../processes.ts';
import type { Blog } from './blogs.ts';
import type { Pace, Paced } from './generator.ts';
import type { GeneratorOrder, GeneratorReport } from './generator-process.ts';

/** The process that generates the traffic. */
export interface Generator {
  readonly pid: number;
  pace(origins: readonly string[], pace: Pace): Promise<Paced>;
  stop(): Promise<void>;
}

/** @param origin of an API, on which it first looks for the deep pages */
export async function startGenerator(blogs: readonly Blog[], origin: string): Promise<Generator> {
  const child = fork(join(root, 'tools/bench/open-loop/generator-process.ts'), { serialization: 'advanced' });
  // The child may just have ended: pending calls are rejected, and the rest still ends in order.
  child.on('error', () => {});
  const ask = (order: GeneratorOrder): Promise<GeneratorReport> =>
    new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('The process that generates the traffic has ended'));
      child.once('exit', gone);
      child.once('message', (report: GeneratorReport) => {
        child.off('exit', gone);
        if ('failed' in report) reject(new Error(report.failed));
        else resolve(report);
      });
      child.send(order);
    });
  await ask({ blogs, origins: [origin] });
  return {
    pid: child.pid ?? 0,
    async pace(origins, pace) {
      const report = await ask({ pace, origins });
      if (!('paced' in report)) throw new Error('The process that generates the traffic sent no measurement');
      return report.paced;
    },
    stop: () => stop(child),
  };
}
