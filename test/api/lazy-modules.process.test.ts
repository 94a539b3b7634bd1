import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../runtime/home.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { endApis, spawnApi } from './processes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  endApis();
  await database.drop();
});

/** A flag of Node: as if the decoders of images and the MCP server could not be loaded. */
const without = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/node_modules\\/(sharp|@modelcontextprotocol)\\//.test(url)) throw new Error('not here: ' + url);
      return next(url, context);
    },
  });`)}`;

test('the API starts without what only few of its requests need', async () => {
  expect((await spawnApi(database.url, undefined, [without])).isAlive()).toBe(true);
});

test('with --load-only, what is loaded later has to be there', async () => {
  const loaded = promisify(execFile)(process.execPath, [without, join(root, 'api/main.ts'), '--load-only']);
  await expect(loaded).rejects.toThrow('not here');
});
