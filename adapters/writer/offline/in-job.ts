import { WriterError } from '../../../domain/pipeline/writer.ts';
import type { Attempt, Brief, Writer } from '../../../domain/pipeline/writer.ts';
import { JobTooLarge } from '../../jobs/helper-process.ts';
import type { InHelpers } from '../../jobs/job.ts';
import { requireMaterial } from './writer.ts';
import type { OfflineStage, writeOffline } from './writer.ts';

export type OfflineJobs = InHelpers<{ writeOffline: typeof writeOffline }>;

type Made = { [Name in OfflineStage]: Awaited<ReturnType<Writer[Name]>> };

/** Runs the offline writer in a helper process, because title, keywords and source are untrusted text. */
export function createOfflineWriter(jobProcesses: OfflineJobs): Writer {
  const stage =
    <Name extends OfflineStage>(name: Name) =>
    async (brief: Brief, { siteId, signal }: Attempt): Promise<Made[Name]> => {
      // An error of a job loses what it says.
      if (name === 'generate') requireMaterial(brief);
      try {
        const written = await jobProcesses.writeOffline(siteId, { stage: name, brief }, signal);
        return written as Made[Name];
      } catch (error) {
        if (!(error instanceof JobTooLarge)) throw error;
        throw new WriterError(`${error.message}.`, { final: false });
      }
    };
  return {
    name: 'offline',
    modelOf: () => null,
    classify: stage('classify'),
    extract: stage('extract'),
    plan: stage('plan'),
    generate: stage('generate'),
    improve: stage('improve'),
  };
}
