import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** Makes the changes of a release, to be read and committed: docs/upgrading.md, Making a release. */

const run = (command: string, args: readonly string[]): unknown =>
  execFileSync(command, args, { cwd: root, stdio: 'inherit' });

function replaceIn(path: string, pattern: RegExp, replacement: string): void {
  const text = readFileSync(join(root, path), 'utf8');
  const replaced = text.replace(pattern, replacement);
  if (replaced === text) throw new Error(`${path} has nothing like ${pattern} to change`);
  writeFileSync(join(root, path), replaced);
}

run(join(root, 'node_modules/.bin/changeset'), ['version']);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const today = new Date().toISOString().slice(0, 10);
// The newest version is the first heading; changesets give it no day.
for (const changelog of ['CHANGELOG.md', 'sdk/CHANGELOG.md'])
  replaceIn(changelog, /^## .+$/m, `## ${version}\n\n${today}`);
for (const folder of ['overlays/one-node', 'overlays/production', 'roles'])
  replaceIn(`deploy/kubernetes/${folder}/kustomization.yaml`, /newTag: .+$/m, `newTag: ${version}`);
replaceIn('docs/deploy.md', /\bv\d+\.\d+\.\d+\b/g, `v${version}`);
copyFileSync(join(root, 'docs/openapi.json'), join(root, 'docs/openapi-released.json'));
run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund']);
console.log(`${version}: read the two changelogs, run npm run check and commit.`);
