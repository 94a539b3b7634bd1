import type { z } from 'zod';
import type { Site } from '../../../../domain/kernel/site.ts';
import { noPlace, validationFailed } from '../../../../domain/kernel/errors.ts';
import { readBlog } from '../../../../domain/seo/blog.ts';
import type { ReadFile } from '../../../../domain/seo/backlinks/link.ts';
import { NoPermit } from '../../../../runtime/fair-semaphore.ts';
import type { Ports } from '../../../framework/ports.ts';
import type { BacklinkImport } from './schema.ts';

const RETRY_SECONDS = 2;
const TOO_MANY = 'Too many files of this Site are being read. Wait until some of them are imported.';

/**
 * Reads the file of a request.
 *
 * @throws ServiceError VALIDATION_FAILED for a file that is not recognised; RATE_LIMIT_EXCEEDED if too many of the
 *   Site's wait; MAINTENANCE if the machine is too busy
 */
export async function readImport(
  { backlinks, db }: Pick<Ports, 'backlinks' | 'db'>,
  site: Site,
  { csv, source }: z.output<typeof BacklinkImport>,
): Promise<ReadFile> {
  const blog = await readBlog(db, site.id);
  const read = await backlinks.read(site.id, { csv, source, blog }).catch((error: unknown) => {
    throw error instanceof NoPermit ? noPlace(error, TOO_MANY, RETRY_SECONDS) : error;
  });
  if ('refused' in read) throw validationFailed({ csv: read.refused });
  return read;
}
