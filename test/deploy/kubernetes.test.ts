import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '../../runtime/home.ts';
import { checkProduction, readDeployed, readVariables, unknownSettings } from './files.ts';

const folder = 'deploy/kubernetes';
const base = readVariables(readDeployed(`${folder}/base/settings.env`));
const overlays = readdirSync(join(root, folder, 'overlays'));

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[];
  readonly resources: {
    readonly requests: { readonly memory: string };
    readonly limits: { readonly memory: string };
  };
}

interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly minReadySeconds: number;
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly initContainers: readonly [Container & { readonly command: readonly string[] }];
      };
    };
  };
}

const readDeployment = (name: string): Deployment => {
  const found = parseAllDocuments(readDeployed(`${folder}/base/${name}.yaml`))
    .map((document) => document.toJS() as Deployment)
    .find(({ kind }) => kind === 'Deployment');
  if (found === undefined) throw new Error(`${name} is not deployed`);
  return found;
};

/** What `kubectl create secret` of docs/deploy.md makes. */
const secrets = {
  DATABASE_URL: 'postgres://presswork_application:secret@db.example.com/presswork',
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};

test.each(overlays)('overlay %s sets no variable that the product does not know', (name) => {
  const files = readdirSync(join(root, folder, 'overlays', name)).filter((file) => file.endsWith('.env'));
  expect(files).toContain('settings.env');
  for (const file of files)
    expect(unknownSettings(readVariables(readDeployed(`${folder}/overlays/${name}/${file}`)))).toEqual([]);
});

test.each(overlays.filter((name) => name !== 'dev'))('overlay %s has all that production needs', (name) => {
  const own = readVariables(readDeployed(`${folder}/overlays/${name}/settings.env`));
  expect(checkProduction({ ...base, ...own, ...secrets }).PUBLIC_URL).toBe('https://api.example.com');
});

test('the secrets of docs/deploy.md are those that the manifests need', () => {
  const guide = readDeployed('docs/deploy.md');
  for (const name of [...Object.keys(secrets), 'MIGRATION_DATABASE_URL'])
    expect(guide).toContain(`--from-literal=${name}=`);
});

describe.each(['api', 'worker'])('%s', (name) => {
  const { spec } = readDeployment(name);
  const pod = spec.template.spec;
  const [container] = pod.containers;

  test('says where it is scraped, and that is where it answers', () => {
    const port = base['METRICS_PORT'];
    expect(spec.template.metadata.annotations).toMatchObject({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': port,
    });
    expect(container.ports).toContainEqual({ name: 'metrics', containerPort: Number(port) });
  });

  test('replaces a pod only when another is ready and stays so', () => {
    expect(container.readinessProbe).toBeDefined();
    expect(container.livenessProbe).toBeDefined();
    expect(spec.minReadySeconds).toBeGreaterThanOrEqual(5);
    expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(pod.terminationGracePeriodSeconds).toBe(45);
  });

  test('migrates before it starts; only the container that does has the role for it', () => {
    const [migrate] = pod.initContainers;
    expect(migrate.command.slice(-2)).toEqual(['admin', 'migrate']);
    const secretsOf = ({ envFrom }: Container) => envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []);
    expect(secretsOf(migrate)).toEqual(['presswork-migrate']);
    expect(secretsOf(container)).toEqual(['presswork']);
  });
});

test('a worker is asked on the metrics port whether it takes tasks; it requests what it was measured to hold', () => {
  const [{ readinessProbe, livenessProbe, resources }] =
    readDeployment('worker').spec.template.spec.containers;
  expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
  expect(livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'metrics' });
  const [, measured] = /^\| worker\s+\|\s+\d+ → (\d+) MB/m.exec(readDeployed('docs/capacity.md')) ?? [];
  expect(Number(measured)).toBeGreaterThan(0);
  expect(parseInt(resources.requests.memory, 10) * 1.048_576).toBeGreaterThan(Number(measured));
});

test('the alert on old backups asks for the job that makes them', () => {
  const { metadata } = parseAllDocuments(readDeployed(`${folder}/components/backup/backup.yaml`))
    .map((document) => document.toJS() as { kind: string; metadata: { name: string } })
    .find(({ kind }) => kind === 'CronJob')!;
  const rules = readDeployed('deploy/prometheus/alerts.yml');
  for (const figure of ['status_last_successful_time', 'created'])
    expect(rules).toContain(`kube_cronjob_${figure}{cronjob="${metadata.name}"}`);
});

test('overlays and the job of roles are of the version that this is', () => {
  const { version } = JSON.parse(readDeployed('package.json')) as { version: string };
  for (const path of ['overlays/production', 'overlays/one-node', 'roles']) {
    const { images } = parse(readDeployed(`${folder}/${path}/kustomization.yaml`)) as {
      images: readonly { readonly newTag: string }[];
    };
    expect(images.map(({ newTag }) => newTag)).toEqual([version]);
  }
});
