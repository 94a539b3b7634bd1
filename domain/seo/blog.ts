import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { urlPathsRow } from '../purge/public-urls.ts';
import type { Blog } from '../purge/public-urls.ts';

const blogRow = z.object({ domain: z.string(), url_paths: urlPathsRow });

/** Where the pages of a Site are. */
export const readBlog = (db: Queryable, siteId: string): Promise<Blog> =>
  db.one(sql.type(blogRow)`select domain, url_paths from sites where id = ${siteId}`);
