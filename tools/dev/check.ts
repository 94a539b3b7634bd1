import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { rooms } from './rooms.ts';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** Must appear in its output, so that a check that examined nothing fails despite exit code 0. */
  readonly proves?: RegExp;
}

const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

const checks: readonly Check[] = [
  { name: 'format', command: [bin('prettier'), '--check', '--log-level', 'warn', '.'] },
  {
    name: 'lint',
    command: [bin('oxlint'), '--type-aware', '--deny-warnings', '.'],
    proves: /on [1-9]\d+ files/,
  },
  { name: 'types', command: [bin('tsc'), '--noEmit', '--project', root] },
  { name: 'types of the dashboard', command: [bin('tsc'), '--noEmit', '--project', join(root, 'dashboard')] },
  {
    name: 'boundaries',
    command: [
      bin('depcruise'),
      '--config',
      '.dependency-cruiser.mjs',
      ...rooms.filter(({ imports }) => imports !== null).map(({ path }) => path),
      'test',
    ],
    proves: /\(([1-9]\d{2,}) modules/,
  },
  { name: 'dead code', command: [bin('knip')] },
  {
    name: 'size of the dashboard',
    command: [process.execPath, join(root, 'tools/dev/check-dashboard.ts')],
    proves: /^[1-9]\d* of \d+ KB {2}shell$/m,
  },
  {
    name: 'image',
    command: [process.execPath, join(root, 'tools/dev/check-image.ts')],
    proves: /^[1-9]\d{2,} files/m,
  },
  {
    name: 'manifests',
    command: [process.execPath, join(root, 'tools/dev/check-manifests.ts')],
    proves: /^([1-9]\d+ manifests|not checked)/m,
  },
  {
    name: 'references',
    command: [process.execPath, join(root, 'tools/dev/check-references.ts')],
    proves: /^[1-9]\d{2,} references/m,
  },
  { name: 'generated files', command: [process.execPath, join(root, 'tools/dev/generate.ts'), '--check'] },
];

/** Runs every check, even if one fails. */
let failed = 0;
for (const { name, command, proves } of checks) {
  const started = Date.now();
  const [program = '', ...args] = command;
  const result = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  const passed = result.status === 0 && (proves === undefined || proves.test(said));
  console.log(`${passed ? 'passed' : 'FAILED'}  ${name}  (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (passed) continue;
  failed += 1;
  console.log(said.trim() || 'no output: it examined nothing');
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
