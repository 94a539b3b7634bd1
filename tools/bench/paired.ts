import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { compile, programCommand } from '../dev/applications.ts';
import { treeProcessorMs } from './process-usage.ts';
import { startLoad, startServer, unusedServices } from './processes.ts';
import { createEndings } from './run.ts';
import { fullSize, seed } from './seed.ts';
import { startPostgres } from './servers.ts';
const { onEnd, endEach } = createEndings();
const home = mkdtempSync(join(tmpdir(), 'presswork-bench-'));
const pg = await startPostgres(home, onEnd);
await migrate(pg.url);
const seeded = await seed(pg.url, { ...fullSize, articlesInLarge: 5000, articlesInSmall: 400, uploads: 0, keysInLarge: 500 });
await compile();
const servers: Record<string, any> = {};
for (const kind of ['one', 'plain']) {
  servers[kind] = await startServer(programCommand('api'), { ...unusedServices, DATABASE_URL: pg.url, ...(kind === 'plain' ? { PLAIN: '1' } : {}) }, '/healthz', join(home, kind + '.log'));
  onEnd(() => servers[kind].stop());
}
const load = startLoad(seeded); onEnd(() => load.stop());
const sums: Record<string, { n: number; api: number; pg: number }> = {};
for (const name of ['create', 'update', 'publish']) {
  for (const kind of ['one', 'plain']) { await load.prepare(name, servers[kind].origin); await load.measure(name, servers[kind].origin, { warmUpMs: 3000, measureMs: 500 }); }
  for (let turn = 0; turn < 8; turn += 1)
    for (const kind of turn % 2 ? ['one', 'plain'] : ['plain', 'one']) {
      const before = [treeProcessorMs(servers[kind].pid)!, treeProcessorMs(pg.pid)!];
      const s = await load.measure(name, servers[kind].origin, { warmUpMs: 0, measureMs: name === 'publish' ? 1200 : 2500 });
      const sum = (sums[`${name} ${kind}`] ??= { n: 0, api: 0, pg: 0 });
      sum.n += s.answered; sum.api += treeProcessorMs(servers[kind].pid)! - before[0]!; sum.pg += treeProcessorMs(pg.pid)! - before[1]!;
      if (s.errors) console.log(name, kind, s.errors, s.firstError);
    }
  for (const kind of ['one', 'plain']) { const { n, api, pg } = sums[`${name} ${kind}`]!; console.log(name, kind, n, 'api ms', (api / n).toFixed(3), 'pg ms', (pg / n).toFixed(3), 'sum', ((api + pg) / n).toFixed(3)); }
}
await endEach(); process.exit(0);
