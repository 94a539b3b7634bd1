import { MockActivityEnvironment } from '@temporalio/testing';
import { createSeoScanActivities } from '../../../activities/seo-scan.ts';
import type { ScanStep } from '../../../activities/seo-scan.ts';
import type { ScanKinds } from '../../../domain/seo/scan-kind.ts';
import { TooBusy } from '../../../adapters/pages/visit.ts';
import { systemClock } from '../../../domain/kernel/clock.ts';
import { NoPermit } from '../../../runtime/fair-semaphore.ts';
import { useApi } from '../../support/api.ts';
import { buildPurse } from '../../support/pipeline.ts';
import { crawlOf, nothingFound, startScan } from '../../support/scans.ts';
import { silent } from '../../support/temporal.ts';

const api = await useApi();

test.each([
  ['a host', new TooBusy('too many wait')],
  ['a helper process', new NoPermit({ ownShare: true, waited: true })],
])(
  'a step that finds no turn of %s waits, is no failed attempt, and pays its unit once',
  async (_, error) => {
    const purse = await buildPurse(api, 5);
    const { id } = await startScan(api, purse.key, 'site-crawl');
    let isBusy = true;
    const crawl = crawlOf(['https://blog.example.com/'], async () => {
      if (isBusy) throw error;
      return nothingFound;
    });
    const activities = createSeoScanActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      kinds: { 'site-crawl': crawl } as unknown as ScanKinds,
    });
    const step = (): Promise<ScanStep> =>
      new MockActivityEnvironment({ attempt: 1 }).run(activities.scanFurther, purse.siteId, id);
    await activities.beginSeoScan(id);
    expect(await step()).toMatchObject({ kind: 'more', unitsDone: 0 });
    // More often than workers may be lost.
    for (let tries = 0; tries < 12; tries += 1) expect(await step()).toEqual({ kind: 'waits' });
    isBusy = false;
    expect(await step()).toMatchObject({ kind: 'more', unitsDone: 1 });
    expect(await step()).toEqual({ kind: 'completed' });
    expect((await api.request('GET', `/seo/scans/${id}`, { key: purse.key })).data).toMatchObject({
      credits_spent: 1,
    });
  },
);
