import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../runtime/home.ts';
import { checkProduction, readDeployed, readVariables, unknownSettings } from './files.ts';
import type { Variables } from './files.ts';

interface Service {
  readonly image: string;
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly logging?: unknown;
  readonly restart?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources?: { readonly limits?: { readonly memory?: string } };
  };
}

const { services } = parse(readDeployed('docker-compose.yml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
};
const names = Object.keys(services);
/** As an operator makes it. */
const env = readVariables(
  execFileSync(
    join(root, 'deploy/compose/create-env.sh'),
    ['api.example.com', 'files.example.com', 'https://alerts.example.com/hook'],
    { encoding: 'utf8' },
  ),
);

/** Puts in what .env has, as compose does. */
function filled(value: string | number): string {
  return String(value).replaceAll(
    /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
    (_, name: string, kind: string, rest: string) => {
      const found = env[name] ?? '';
      if (found !== '') return found;
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return rest ?? '';
    },
  );
}

const variablesOf = (name: string): Variables =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, filled(value)]),
  );

/** A setting of the server, of its command line. */
const settingOf = (name: string, setting: string): number => {
  const start = `-c${setting}=`;
  const given = [services[name]?.command ?? []].flat().find((part) => part.startsWith(start));
  return Number(given?.slice(start.length));
};

describe('settings', () => {
  test.each(['api', 'worker', 'migrate', 'roles', 'canary'])(
    '%s gets none that the product does not know',
    (name) => {
      expect(unknownSettings(variablesOf(name))).toEqual([]);
    },
  );

  test('API and worker get all that production needs, with the secrets of .env', () => {
    for (const name of ['api', 'worker']) {
      const settings = checkProduction(variablesOf(name));
      expect(settings.PUBLIC_URL).toBe('https://api.example.com');
    }
  });

  test('.env.example names what the compose file asks for, and create-env.sh fills in every secret', () => {
    const read = [...readDeployed('docker-compose.yml').matchAll(/\$\{(\w+):([?-])/g)];
    const needed = read.filter(([, , kind]) => kind === '?').map(([, name = '']) => name);
    expect(needed.filter((name) => (env[name] ?? '') === '')).toEqual([]);
    // PRESSWORK_IMAGE is for those who build their own.
    expect(
      read.map(([, name = '']) => name).filter((name) => !(name in env) && name !== 'PRESSWORK_IMAGE'),
    ).toEqual([]);
    const secrets = Object.entries(env).filter(([name]) => /PASSWORD|^S3_|^ENCRYPTION_KEY/.test(name));
    expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
  });
});

describe('PostgreSQL', () => {
  test('connections add up: all pools, Temporal and people together stay below max_connections', () => {
    const replicas = (name: string): number => services[name]?.deploy?.replicas ?? 1;
    const pool = Number(variablesOf('api')['DATABASE_POOL_SIZE']);
    const temporal = variablesOf('temporal');
    const ofTemporal = 4 * (Number(temporal['SQL_MAX_CONNS']) + Number(temporal['SQL_VIS_MAX_CONNS']));
    const [limitOfTemporal, limitOfMonitoring] = ['temporal', 'monitoring'].map((role) =>
      Number(
        new RegExp(`alter role ${role} login.* connection limit (\\d+)`).exec(
          readDeployed('deploy/compose/server-roles.sql'),
        )?.[1],
      ),
    );
    expect(limitOfTemporal).toBe(ofTemporal);
    // A listener for each worker; the dashboard of Sites; the operator's command and a person or two; the superuser's own three.
    const sum =
      replicas('api') * pool + replicas('worker') * (pool + 1) + ofTemporal + limitOfMonitoring! + 3 + 5 + 3;
    expect(sum).toBeGreaterThan(100);
    expect(sum).toBeLessThanOrEqual(settingOf('postgres', 'max_connections'));
  });

  test('the superuser is used by the jobs that make roles, and by nothing else', () => {
    const uses = names.filter((name) => JSON.stringify(services[name]).includes('POSTGRES_PASSWORD:?'));
    expect(uses.toSorted()).toEqual(['postgres', 'roles', 'server-roles']);
  });
});

describe('every service', () => {
  test('has a log that is rotated, a limit of memory, and is started again', () => {
    for (const name of names) {
      const { logging, restart, deploy } = services[name] as Service;
      expect([name, logging]).toEqual([
        name,
        { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
      ]);
      expect([name, deploy?.resources?.limits?.memory]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, restart]).toEqual([name, expect.stringMatching(/^(unless-stopped|on-failure|no)$/)]);
    }
  });

  test('is an image of a named version', () => {
    for (const name of names) expect(services[name]?.image).toMatch(/:[\w$][\w.{}:-]*$/);
    for (const name of names) expect(services[name]?.image).not.toMatch(/:latest|auto-setup/);
  });

  test('mounts files that there are', () => {
    const files = names
      .flatMap((name) => services[name]?.volumes ?? [])
      .filter((volume) => volume.startsWith('./'));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files)
      expect([file, existsSync(join(root, file.split(':')[0] ?? ''))]).toEqual([file, true]);
  });

  test('is reached from this machine alone, but for the proxy', () => {
    const open = names.filter((name) =>
      services[name]?.ports?.some((port) => !port.startsWith('127.0.0.1:')),
    );
    expect(open).toEqual(['proxy']);
  });
});

test.each(['postgres', 'temporal', 'storage', 'api', 'worker', 'backup'])(
  '%s says whether it is healthy',
  (name) => {
    expect(services[name]?.healthcheck?.test.length).toBeGreaterThan(1);
  },
);

test('Prometheus reads what the backup says of itself, by a container that sees no more of it', () => {
  const { command, volumes } = services['node-exporter'] as Service;
  const folder = [command ?? []].flat().find((part) => part.startsWith('--collector.textfile.directory='));
  expect(folder?.split('=')[1]).toBe('/backups/metrics');
  expect(readDeployed('deploy/compose/backup.sh')).toContain(
    'mv "$backups/metrics/backup.tmp" "$backups/metrics/backup.prom"',
  );
  expect(volumes).toEqual(['backups:/backups:ro']);
  expect(services['backup']?.volumes).toContain('backups:/backups');
});

test('storage is of the version that tests use', () => {
  const [, version] =
    /name: 'versitygw',[^}]*version: '(v[\d.]+)'/.exec(readDeployed('tools/dev/tools.ts')) ?? [];
  expect(services['storage']?.image).toBe(`versity/versitygw:${version}`);
});

test('the image has the Node that tests run', () => {
  const { devDependencies, version } = JSON.parse(readDeployed('package.json')) as {
    devDependencies: Record<string, string>;
    version: string;
  };
  const images = [...readDeployed('Dockerfile').matchAll(/^FROM node:(\S+)/gm)].map(([, tag]) => tag);
  expect(images).toHaveLength(3);
  for (const tag of images)
    expect(tag).toMatch(new RegExp(`^${devDependencies['node']}-bookworm-slim(@sha256:|$)`));
  expect(readDeployed('CHANGELOG.md')).toMatch(new RegExp(`^## ${version}\\b`, 'm'));
});

test('Prometheus scrapes services that there are, on the port on which they show their metrics', () => {
  const { scrape_configs: jobs } = parse(readDeployed('deploy/prometheus/prometheus.yml')) as {
    scrape_configs: readonly {
      readonly job_name: string;
      readonly dns_sd_configs?: readonly { readonly names: readonly string[]; readonly port: number }[];
      readonly static_configs?: readonly { readonly targets: readonly string[] }[];
    }[];
  };
  for (const { dns_sd_configs: found = [], static_configs: fixed = [] } of jobs) {
    for (const {
      names: [name = ''],
      port,
    } of found)
      expect(variablesOf(name)['METRICS_PORT']).toBe(String(port));
    for (const { targets } of fixed)
      for (const target of targets) expect(names).toContain(target.split(':')[0]);
  }
  expect(jobs.map(({ job_name: name }) => name)).toEqual(
    expect.arrayContaining(['presswork-api', 'presswork-worker', 'postgres', 'temporal']),
  );
  expect(variablesOf('temporal')['PROMETHEUS_ENDPOINT']).toBe('0.0.0.0:8000');
});
