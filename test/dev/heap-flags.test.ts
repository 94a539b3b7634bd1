import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { heapFlags } from '../../dev/applications.ts';
import { root } from '../../dev/home.ts';

// The image and its manifests cannot import them, and what was compiled under other options is compiled again.
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const workerCommand = ['node', ...heapFlags('worker'), 'worker/main.ts'];

test('the image compiles and runs under the options that API and worker have here', () => {
  const dockerfile = read('Dockerfile');
  const command = /^CMD (.*)$/m.exec(dockerfile)?.[1];
  expect(JSON.parse(command ?? '')).toEqual(['node', ...heapFlags('api'), 'api/main.ts']);
  for (const name of ['api', 'worker'] as const)
    expect(dockerfile).toContain(`node ${heapFlags(name).join(' ')} ${name}/main.ts --load-only`);
});

test('so do the workers of the compose file and of the manifests', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true });
  expect(services.worker.command).toEqual(workerCommand);
  const deployment = parseAllDocuments(read('deploy/kubernetes/worker.yaml'))
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'Deployment');
  expect(deployment.spec.template.spec.containers[0].command).toEqual(workerCommand);
});
