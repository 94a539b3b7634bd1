import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readChildren } from '../../tools/dev/children.ts';
import { freePort } from '../../runtime/free-port.ts';
import { until } from '../../tools/dev/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ready, signalProduct, startProduct } from './product.ts';
import type { Product } from './product.ts';

let home: string;
let product: Product;

beforeEach(() => {
  home = temporaryFolder();
});
afterEach(async () => {
  product.launcher.kill('SIGTERM');
  await product.ended;
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<void> {
  product = startProduct({ PRESSWORK_HOME: home, PORT: String(await freePort()) });
}

const hasBegun = (folder: string): boolean =>
  folder.startsWith('postgres') && existsSync(join(home, folder, 'PG_VERSION'));

test.each([
  ['PostgreSQL’s data', () => readdirSync(home).some(hasBegun)],
  ['Temporal’s file', () => existsSync(join(home, 'temporal.db'))],
])('kill -9 of everything while %s is being made: the next start becomes ready', async (_, isBeingMade) => {
  await start();
  expect(await until(isBeingMade, 60_000, 1)).toBe(true);
  for (const { pid } of readChildren(home)) process.kill(pid, 'SIGKILL');
  signalProduct(product, 'SIGKILL');
  await product.ended;

  await start();
  await ready(product);
  expect(readdirSync(home).filter((name) => name.includes('.new'))).toEqual([]);
});
