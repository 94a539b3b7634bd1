import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../runtime/free-port.ts';
import { environment } from '../../support/environment.ts';
import { runStart } from './scripts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let home: string;

beforeAll(() => {
  home = temporaryFolder();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

// What each wrong setting is answered with is in wrong-settings.test.ts.
test.each([
  ['a setting that cannot be read', { PORT: 'abc' }, /^PORT: /],
  ['a data folder that cannot be used', { PRESSWORK_HOME: '/dev/null' }, /^PRESSWORK_HOME: /],
  ['an outside server that refuses', { S3_BUCKET: 'nowhere' }, /^S3_BUCKET: /],
])('%s stops the start with 1 and one line', async (_name, wrong, message) => {
  const script = runStart({
    PORT: String(await freePort()),
    PRESSWORK_HOME: join(home, 'home'),
    S3_ENDPOINT: environment('S3_ENDPOINT'),
    S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
    ...wrong,
  });
  expect(await script.ended).toBe(1);
  expect(script.err()).toMatch(message);
  expect(script.err()).toMatch(/^[^\n]+\n$/);
});
