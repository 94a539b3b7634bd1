import { sql } from '../sql.ts';

/**
 * Distinguishes servers, and restarts of the same server, for comparisons of `xmin`: after a failover, the new server
 * may lack the last transactions of the old one, and assign their numbers again.
 */
export const serverStart = sql.fragment`extract(epoch from pg_postmaster_start_time())`;
