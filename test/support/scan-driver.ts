import { newId } from '../../domain/kernel/ids.ts';
import type {
  Fault,
  KnownTarget,
  ScanKind,
  ScanParameters,
  ScanWork,
  Target,
} from '../../domain/seo/scan-kind.ts';
import { unitSizes } from '../../domain/seo/rules.ts';
import type { ScanKindName } from '../../domain/seo/rules.ts';

export interface Driven<K extends ScanKindName> {
  readonly faults: readonly Fault<K>[];
  /** Rules and subjects that were looked at. */
  readonly lookedAt: ReadonlySet<string>;
  readonly counted: number;
}

/** Runs a kind of scan over targets in memory, in units, as the machinery does over those in the database. */
export async function driveScan<K extends ScanKindName>(
  kind: ScanKind<K>,
  siteId: string,
  parameters: ScanParameters = {},
): Promise<Driven<K>> {
  const work: ScanWork = { scanId: newId(), siteId, parameters, signal: new AbortController().signal };
  const targets = new Map<string, Target & { examine: boolean; examined: boolean }>();
  const faults: Fault<K>[] = [];
  const lookedAt = new Set<string>();
  let counted = 0;
  const add = (found: Awaited<ReturnType<ScanKind<K>['plan']>>['targets']): void => {
    for (const target of found) {
      const known = targets.get(target.key);
      const memo = { ...known?.memo, ...target.memo };
      targets.set(target.key, {
        ...(known ?? { ...target, examined: false }),
        memo,
        examine: target.examine || (known?.examine ?? false),
      });
    }
  };
  const take = (examination: Awaited<ReturnType<ScanKind<K>['examine']>>): void => {
    faults.push(...examination.faults);
    for (const { rules, subjects } of examination.lookedAt)
      for (const rule of rules) for (const subject of subjects) lookedAt.add(`${rule} ${subject}`);
    for (const [key, memo] of examination.memos ?? []) {
      const known = targets.get(key);
      if (known !== undefined) targets.set(key, { ...known, memo: { ...known.memo, ...memo } });
    }
    add(examination.newTargets ?? []);
  };
  for (let after: string | null = null; ;) {
    const { targets: found, next } = await kind.plan(work, after);
    add(found);
    if (next === null) break;
    after = next;
  }
  for (;;) {
    const waiting = [...targets.values()].filter(({ examine, examined }) => examine && !examined);
    const room = (parameters.max_pages ?? Infinity) - counted;
    const unit = waiting.slice(0, Math.min(unitSizes[kind.name], room));
    if (unit.length === 0) break;
    const examination = await kind.examine(work, unit);
    const looked = unit.filter(({ key }) => !(examination.postponed?.includes(key) ?? false));
    for (const { key } of looked)
      targets.set(key, { ...(targets.get(key) as Target), examine: true, examined: true });
    counted += looked.filter(({ key }) => !(examination.uncounted?.includes(key) ?? false)).length;
    take(examination);
  }
  async function* known(): AsyncIterable<KnownTarget> {
    yield* targets.values();
  }
  if (kind.conclude !== undefined) take(await kind.conclude(work, known()));
  return { faults, lookedAt, counted };
}
