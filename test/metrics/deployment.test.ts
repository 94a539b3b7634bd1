import { parse, parseAllDocuments } from 'yaml';
import { readDocument } from './shown.ts';

interface Job {
  readonly job_name: string;
  readonly dns_sd_configs: readonly [{ readonly names: readonly string[]; readonly port: number }];
}

interface Workload {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly { readonly ports: readonly object[] }[] };
    };
  };
}

const { scrape_configs: jobs } = parse(readDocument('deploy/prometheus/prometheus.yml')) as {
  scrape_configs: readonly Job[];
};

test('Prometheus looks for the processes of the compose file, on the port they are told', () => {
  const { services } = parse(readDocument('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string | number> }>;
  };
  expect(jobs.map(({ job_name: name }) => name)).toEqual(['presswork-api', 'presswork-worker']);
  for (const { dns_sd_configs: configs } of jobs) {
    const [{ names, port }] = configs;
    for (const name of names) expect(services[name]?.environment?.['METRICS_PORT']).toBe(port);
  }
});

test.each(['api', 'worker'])(
  'pods of the %s say where they are scraped, and that is where they answer',
  (name) => {
    const { data } = parse(readDocument('deploy/kubernetes/settings.yaml')) as {
      data: Record<string, string>;
    };
    const workload = parseAllDocuments(readDocument(`deploy/kubernetes/${name}.yaml`))
      .map((document) => document.toJS() as Workload)
      .find(({ kind }) => kind === 'Deployment');
    const pod = workload?.spec.template;
    const port = data['METRICS_PORT'];
    expect(pod?.metadata.annotations).toMatchObject({
      'prometheus.io/scrape': 'true',
      'prometheus.io/port': port,
    });
    expect(pod?.spec.containers[0]?.ports).toContainEqual({ name: 'metrics', containerPort: Number(port) });
  },
);
