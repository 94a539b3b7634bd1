import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../../runtime/home.ts';
import { repositoryFiles } from './repository-files.ts';
import { rooms } from './rooms.ts';

/** Counts the code of the product, and the arrows between the folders of api/. .dependency-cruiser.mjs refuses rings. */

const LINES = 137_800;
const ARROWS = 30;

const product = rooms.filter(({ imports }) => imports !== null).map(({ path }) => `${path}/`);
const files = repositoryFiles(root).filter(
  (path) =>
    /\.(ts|tsx)$/.test(path) &&
    product.some((room) => path.startsWith(room)) &&
    !path.startsWith('sdk/src/generated/'),
);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const lines = files.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);

/** `http` for api/http/body.ts; `.` for the roof. */
const folderOf = (path: string): string => path.split('/').slice(1, -1)[0] ?? '.';
const inApi = files.filter((path) => path.startsWith('api/'));
const arrows = new Set(
  inApi.flatMap((path) =>
    [...read(path).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      .map(([, to]) => normalize(join(dirname(path), to ?? '')))
      .filter((to) => to.startsWith('api/') && folderOf(to) !== folderOf(path))
      .map((to) => `${folderOf(path)} -> ${folderOf(to)}`),
  ),
);

console.log(`product ${lines} of ${LINES} lines, arrows in api ${arrows.size} of ${ARROWS}`);
process.exit(lines <= LINES && arrows.size <= ARROWS ? 0 : 1);
