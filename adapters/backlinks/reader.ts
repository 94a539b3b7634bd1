import { JobTooLarge } from '../jobs/helper-process.ts';
import type { InHelpers } from '../jobs/job.ts';
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
}

/** A file up to this length is read here: that takes less time than handing it over, a few milliseconds. */
const SMALL = 16_000;

/** Large files are read by helper processes, so that none holds up the event loop. */
export const createBacklinkReader = (
  processes: InHelpers<{ readBacklinks: typeof readFile }>,
): BacklinkReader => ({
  async read(siteId, file) {
    if (file.csv.length <= SMALL) return readFile(file);
    try {
      return await processes.readBacklinks(siteId, file);
    } catch (error) {
      if (error instanceof JobTooLarge)
        return { refused: `cannot be read: ${error.message}. Send it in several parts` };
      throw error;
    }
  },
});
