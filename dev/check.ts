import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './home.ts';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** What its output must hold besides an exit code of 0, so that a check that looked at nothing fails. */
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
  {
    name: 'boundaries',
    command: [
      bin('depcruise'),
      '--config',
      '.dependency-cruiser.json',
      'api',
      'domain',
      'db',
      'workflows',
      'activities',
      'worker',
      'net',
      'storage',
      'cli',
      'dev',
      'test',
      'temporal',
      'config',
      'lifecycle',
      'logging',
      'metrics',
      'tracing',
      'writer',
    ],
    proves: /\(([1-9]\d{2,}) modules/,
  },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'generated files', command: [process.execPath, join(root, 'dev', 'generate.ts'), '--check'] },
];

/** Runs every check, also behind one that fails. */
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
  console.log(said.trim() || 'it said nothing, and looked at nothing');
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
