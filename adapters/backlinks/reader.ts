import { createProcesses, JobTooLarge } from '../jobs/processes.ts';
import type { Jobs } from './jobs.ts';
import { readFile } from './read-file.ts';
import type { FileToRead, Reading } from './read-file.ts';

export interface BacklinkReader {
  /**
   * Reads an export of links.
   *
   * @param siteId the Site of the file, which has its share of the work
   * @throws NoPermit if too many files wait; JobUnfinished if the machine is too busy
   */
  read(siteId: string, file: FileToRead): Promise<Reading>;
  close(): void;
}

/** A file up to this length is read here: that takes less time than handing it over, a few milliseconds. */
const SMALL = 16_000;
/** The largest file that a request can carry takes a second on a slow machine. */
const PROCESSOR_MS = 10_000;
const DEADLINE_MS = 30_000;
const LONGEST_WAIT_MS = 10_000;

/** Creates the reader of a process. Large files are read by helper processes, so that none holds up the event loop. */
export function createBacklinkReader(): BacklinkReader {
  const processes = createProcesses<Jobs>({
    program: new URL('main.ts', import.meta.url),
    processes: 2,
    processorMs: PROCESSOR_MS,
    deadlineMs: DEADLINE_MS,
    longestWaitMs: LONGEST_WAIT_MS,
  });
  return {
    async read(siteId, file) {
      if (file.csv.length <= SMALL) return readFile(file);
      try {
        return await processes.run(siteId, 'readFile', file);
      } catch (error) {
        if (error instanceof JobTooLarge)
          return { refused: `cannot be read: ${error.message}. Send it in several parts` };
        throw error;
      }
    },
    close: () => processes.close(),
  };
}
