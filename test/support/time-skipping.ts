import { TestWorkflowEnvironment } from '@temporalio/testing';
import { environment } from './environment.ts';

const TRIES = 6;

/** A separate Temporal server that skips time. The SDK allows it 5 s to start, which a busy machine exceeds. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path: environment('TIME_SKIPPING_SERVER') } },
      });
    } catch (error) {
      if (tried === TRIES || !String(error).includes('did not start')) throw error;
    }
  }
}
