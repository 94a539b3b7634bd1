import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { onPath, findManifestTools } from './tools.ts';

/** Renders the Kubernetes manifests as `kubectl apply -k` does, and checks each by the schema of its kind. */

const FOLDER = 'deploy/kubernetes';
const rendered = ['overlays/dev', 'overlays/one-node', 'overlays/production', 'roles'];
/** Not used by an overlay as it stands, because they need an operator, a volume or a Site of their own. */
const components = ['backlog', 'backup', 'pod-monitor', 'canary'];
/** Of operators: no schema of these is at hand. */
const FOREIGN = /^(keda\.sh|monitoring\.coreos\.com)\//;
/** The newest schemas that the validator has in it. */
const VERSION = '1.30';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  /** Of a Secret or a ConfigMap. */
  readonly data?: Readonly<Record<string, string>>;
}

/** kustomize breaks the base64 of a Secret into lines, which Kubernetes takes and the validator does not. */
const withoutLines = ({ data = {} }: Manifest): object =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.replaceAll(/\s/g, '')]));

const said = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });

/** Adds the production overlay with all that is commented out in it. */
function addAllComponents(manifests: string): string {
  const overlay = 'overlays/all-components';
  const kustomization = {
    resources: ['../production'],
    components: components.map((name) => `../../components/${name}`),
  };
  mkdirSync(join(manifests, overlay));
  writeFileSync(join(manifests, overlay, 'kustomization.yaml'), JSON.stringify(kustomization));
  return overlay;
}

async function checkManifests(): Promise<number> {
  const {
    render: [program, verb],
    validate,
  } = await findManifestTools();
  const scratch = mkdtempSync(join(tmpdir(), 'presswork-manifests-'));
  // A copy, because kustomize reads nothing outside of it, and other checks read the repository meanwhile.
  const manifests = join(scratch, 'manifests');
  const single = join(scratch, 'single');
  let count = 0;
  const check = (folder: string): void => {
    const text = said(program, [verb, folder]);
    for (const document of parseAllDocuments(text)) {
      const manifest = document.toJS() as Manifest;
      count += 1;
      if (FOREIGN.test(manifest.apiVersion)) continue;
      const file = join(single, `${count}-${manifest.kind}-${manifest.metadata.name}.yaml`);
      const secret = manifest.kind === 'Secret' && { data: withoutLines(manifest) };
      writeFileSync(file, JSON.stringify({ ...manifest, ...secret }));
    }
  };
  try {
    cpSync(join(root, FOLDER), manifests, { recursive: true });
    mkdirSync(single);
    for (const folder of [...rendered, addAllComponents(manifests)]) check(join(manifests, folder));
    said(validate, [single, '--version', VERSION]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return count;
}

try {
  console.log(`${await checkManifests()} manifests`);
} catch (error) {
  // Whoever has neither the tools nor Go changes no manifests.
  if (error instanceof StartError && onPath('go') === null) {
    console.log(`not checked: ${error.message}`);
  } else {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    console.error(`${stdout}${stderr}` || message);
    process.exitCode = 1;
  }
}
