import fc from 'fast-check';
import { z } from 'zod';
import { sql, statement } from '../../../db/sql.ts';
import { newId } from '../../../domain/kernel/ids.ts';
import type { StopReason } from '../../../domain/paid-work/paid-work.ts';
import type { NewTarget } from '../../../domain/seo/scan-kind.ts';
import { beginScan, endScan } from '../../../domain/seo/scan-lifecycle.ts';
import { openUnit, saveExamination, savePlan } from '../../../domain/seo/scan-unit.ts';
import type { OpenUnit } from '../../../domain/seo/scan-unit.ts';
import { useApi } from '../../support/api.ts';
import { buildOrganisation, buildSite } from '../../support/builders.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');

const api = await useApi();

/**
 * What happens to a scan: a step, a worker that dies, two workers at once, a late answer, a step that leaves a part for
 * the next one, a cancellation.
 */
const events = [
  'step',
  'dies before it looks',
  'dies after it looked',
  'two at once',
  'late',
  'hurries',
  'cancel',
] as const;

const story = fc.record({
  kind: fc.constantFrom('on-page' as const, 'site-crawl' as const),
  targets: fc.integer({ min: 0, max: 60 }),
  /** How many of them are known at the beginning; the others are found on the way, as by a crawl. */
  known: fc.integer({ min: 0, max: 60 }),
  /** Which targets turn out to be files: every n-th. */
  files: fc.integer({ min: 1, max: 6 }),
  credits: fc.integer({ min: 0, max: 8 }),
  cap: fc.option(fc.integer({ min: 0, max: 8 })),
  events: fc.array(fc.constantFrom(...events), { maxLength: 25 }),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

const targetOf = (number: number): NewTarget => ({
  key: String(number),
  url: null,
  articleId: null,
  memo: {},
  examine: true,
});

/** The targets that are known at the beginning: all of them, of a kind that finds none on the way. */
const knownOf = ({ kind, targets, known }: Story): number =>
  kind === 'on-page' ? targets : Math.min(targets, Math.max(1, known));

async function build(told: Story): Promise<string> {
  const { kind, credits, cap } = told;
  const organisationId = await buildOrganisation(api.db, { plan: 'pro', credits });
  const siteId = await buildSite(api.db, organisationId, { spendCap: cap });
  const scanId = newId();
  await api.db.exec(statement`
    insert into seo_scans (id, site_id, kind, status, parameters, created_at, active_at)
    values (${scanId}, ${siteId}, ${kind}, 'queued', '{}', ${NOW.toISOString()}, ${NOW.toISOString()})`);
  const planned = Array.from({ length: knownOf(told) }, (_, number) => targetOf(number));
  await api.db.transaction((tx) => beginScan(tx, scanId, NOW));
  await api.db.transaction((tx) => savePlan(tx, scanId, null, { targets: planned, next: null }, NOW));
  return scanId;
}

const stateRow = z.object({
  status: z.string(),
  units_done: z.number(),
  units_total: z.number().nullable(),
  credits_spent: z.number(),
  counted: z.number(),
  targets: z.number(),
  written: z.number(),
  examined: z.number(),
  found: z.number(),
  ledger: z.number(),
  charges: z.number(),
  balance: z.number(),
});

const read = (scanId: string) =>
  api.db.one(sql.type(stateRow)`
    select s.status, s.units_done, s.units_total, s.credits_spent, s.counted, s.targets, o.credit_balance as balance,
      s.found_error + s.found_warning as found,
      (select count(*)::int from seo_scan_targets t where t.scan_id = s.id and t.state = 'done') as examined,
      (select count(*)::int from seo_scan_targets t where t.scan_id = s.id) as written,
      (select coalesce(-sum(l.amount), 0)::int from credit_ledger l where l.scan_id = s.id) as ledger,
      (select count(*)::int from credit_ledger l where l.scan_id = s.id and l.kind = 'charge') as charges
    from seo_scans s join sites on sites.id = s.site_id join organisations o on o.id = sites.organisation_id
    where s.id = ${scanId}`);

test('credits are units, whatever is killed or cancelled, and everything is looked at once', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const scanId = await build(told);
      const ends: (StopReason | 'completed')[] = [];
      let late: OpenUnit | null = null;
      const isFile = (key: string): boolean => told.kind === 'site-crawl' && Number(key) % told.files === 0;
      const open = async (): Promise<OpenUnit | null> => {
        const opening = await api.db.transaction((tx) => openUnit(tx, scanId, NOW));
        if (opening.kind === 'open') return opening.unit;
        ends.push(opening.kind === 'finished' ? 'completed' : opening.reason);
        return null;
      };
      const save = (unit: OpenUnit, postponed: readonly string[] = []): Promise<void> =>
        api.db.transaction((tx) =>
          saveExamination(
            tx,
            unit,
            {
              postponed,
              faults: unit.targets.map(({ key }) => ({
                rule: told.kind === 'on-page' ? 'thin-content' : 'missing-title',
                subject: key,
                url: null,
                articleId: null,
                evidence: {},
              })),
              lookedAt: [],
              uncounted: unit.targets.map(({ key }) => key).filter(isFile),
              // Each page leads to two others, of which one is known.
              newTargets: unit.targets
                .flatMap(({ key }) => [knownOf(told) + Number(key), Number(key)])
                .filter((number) => number < told.targets)
                .map(targetOf),
            },
            NOW,
          ),
        );
      const step = async (): Promise<void> => {
        const unit = await open();
        if (unit !== null) await save(unit);
      };
      const happen = async (event: (typeof events)[number]): Promise<unknown> => {
        if (event === 'two at once') return Promise.all([step(), step()]);
        if (event === 'late') return late === null ? undefined : save(late);
        if (event === 'hurries') {
          const unit = await open();
          const left = unit?.targets.slice(Math.ceil(unit.targets.length / 2)).map(({ key }) => key);
          return unit === null ? undefined : save(unit, left);
        }
        if (event === 'cancel') {
          return api.db.exec(statement`
            update seo_scans set cancel_requested_at = ${NOW.toISOString()} where id = ${scanId}`);
        }
        if (event === 'step') return step();
        // Only what it was about to do is left of a worker that died; it may still be done.
        return void (late = await open());
      };
      for (const event of told.events) if (ends.length === 0) await happen(event);
      // The workflow goes on until the scan has to end.
      while (ends.length === 0) await step();
      if (late !== null) await save(late);
      const [first] = ends;
      const reason = first === 'completed' || first === undefined ? null : first;
      await api.db.transaction((tx) => endScan(tx, scanId, reason, NOW));
      await api.db.transaction((tx) => endScan(tx, scanId, 'cancelled', NOW));

      const after = await read(scanId);
      expect(after.credits_spent).toBe(after.units_done);
      expect(after.ledger).toBe(after.units_done);
      expect(after.balance).toBe(told.credits - after.units_done);
      expect(after.balance).toBeGreaterThanOrEqual(0);
      expect(after.units_done).toBeLessThanOrEqual(told.cap ?? Infinity);
      const pages = Array.from({ length: told.targets }, (_, key) => String(key)).filter(
        (key) => !isFile(key),
      );
      expect(after.units_done).toBeLessThanOrEqual(Math.ceil(pages.length / 10));
      if (after.status === 'completed') {
        expect(after.examined).toBe(told.targets);
        expect(after.counted).toBe(pages.length);
        expect(after.units_done).toBe(Math.ceil(pages.length / 10));
        expect(after.units_total).toBe(after.units_done);
      }
      expect(after.found).toBe(after.examined);
      expect(after.targets).toBe(after.written);
    }),
    { numRuns: 60 },
  );
});
