import { rmSync } from 'node:fs';
import { freePort } from '../../runtime/free-port.ts';
import { endPrograms, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ready, startProduct } from './product.ts';
import type { Product } from './product.ts';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const proxies = { http_proxy: NOWHERE, https_proxy: NOWHERE, all_proxy: NOWHERE, grpc_proxy: NOWHERE };
const upperCase = { HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, ALL_PROXY: NOWHERE };
const tls = { PGSSLMODE: 'require', PGSSLROOTCERT: '/nowhere', PGSSLNEGOTIATION: 'direct' };
const postgres = {
  PGHOST: 'nowhere.invalid',
  PGPORT: '9',
  PGUSER: 'nobody',
  PGPASSWORD: 'wrong',
  PGDATABASE: 'none',
  PGDATA: '/nowhere',
  PGOPTIONS: '-c default_transaction_read_only=on',
  PGDATESTYLE: 'SQL, DMY',
  PGCLIENTENCODING: 'LATIN1',
  PGTZ: 'Asia/Kolkata',
};
const npm = {
  npm_config_ignore_scripts: 'true',
  npm_config_omit: 'dev',
  npm_config_production: 'true',
  NODE_ENV: 'production',
};
const aws = {
  AWS_PROFILE: 'none',
  AWS_REGION: 'eu-north-1',
  AWS_ACCESS_KEY_ID: 'theirs',
  AWS_SECRET_ACCESS_KEY: 'theirs',
  AWS_SESSION_TOKEN: 'theirs',
  AWS_ENDPOINT_URL: NOWHERE,
  AWS_USE_FIPS_ENDPOINT: 'true',
  AWS_USE_DUALSTACK_ENDPOINT: 'true',
};
const node = { NODE_OPTIONS: '--max-old-space-size=2000 --unhandled-rejections=warn' };

let home: string;
let product: Product;
beforeAll(() => {
  home = temporaryFolder();
});
afterEach(async () => {
  endPrograms();
  product.launcher.kill('SIGTERM');
  await product.ended;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

// The first of them creates the data folder, the others share it.
test.each<[string, Readonly<Record<string, string>>]>([
  ['all of them', { ...proxies, ...tls, ...postgres, ...npm, ...aws, ...node, NODE_USE_ENV_PROXY: '1' }],
  ['a proxy', proxies],
  ['a proxy in upper case, which Node asks, too', { ...upperCase, NODE_USE_ENV_PROXY: '1' }],
  [
    'a proxy for all but one name',
    { ...proxies, ...upperCase, no_proxy: 'example.com', NODE_USE_ENV_PROXY: '1' },
  ],
  ['a database with TLS', tls],
  ['another database', postgres],
  ['another store', aws],
])('the product starts, and its command works, beside settings of: %s', async (_what, theirs) => {
  const port = String(await freePort());
  product = startProduct({ ...theirs, PRESSWORK_HOME: home, PORT: port });
  await ready(product);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  const command = startProgram(['admin', 'org', 'create', '--name', 'Beside others'], {
    file: 'cli/presswork.mjs',
    env: { ...theirs, PRESSWORK_HOME: home },
  });
  expect([await command.ended, command.err()]).toEqual([0, '']);
});
