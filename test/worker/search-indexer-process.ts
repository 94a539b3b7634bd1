import { createDatabase } from '../../db/database.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { createRenderer } from '../../adapters/markdown/renderer.ts';
import { createLogger } from '../../observability/log/logger.ts';
import { SearchIndexer } from '../../worker/search-indexer.ts';

// An indexer in a process of its own, to be killed.
const db = createDatabase({
  connectionString: process.env['DATABASE_URL'] as string,
  applicationName: 'presswork-test-indexer',
});
const log = createLogger({ process: 'worker', level: 'silent', secrets: [] });
await new SearchIndexer({ db, log, readWords: createRenderer(createJobProcesses()).readWords }).run();
