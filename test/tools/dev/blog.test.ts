import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../runtime/home.ts';

test('npm run blog ends with what is missing, if it cannot start', async () => {
  const home = await mkdtemp(join(tmpdir(), 'presswork-blog-'));
  const { PRESSWORK_BASE_URL: _url, PRESSWORK_SECRET_KEY: _key, ...others } = process.env;
  const launched = promisify(execFile)(process.execPath, [join(root, 'tools/dev/launch.mjs'), 'blog'], {
    env: { ...others, PRESSWORK_HOME: home },
    timeout: 60_000,
  });
  try {
    await expect(launched).rejects.toMatchObject({
      code: 1,
      killed: false,
      stderr: expect.stringContaining('Run npm start first'),
    });
  } finally {
    await rm(home, { recursive: true });
  }
});
