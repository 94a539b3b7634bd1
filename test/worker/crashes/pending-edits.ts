import { workflowIdOf } from '../../../domain/kernel/workflow-messages.ts';
import { searchAttributes } from '../../../workflows/names.ts';
import { buildPublished, buildTenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { sleep } from '../../support/temporal.ts';
import { allWait } from '../all-wait.ts';
import type { Place, Work } from './place.ts';

const EDITS = 20;
/** How long before the kill the edits of a Site are due. */
const DUE_BEFORE_MS = [0, 30, 100];
const SOON_MS = 12_000;
const MARGIN_MS = 500;

interface Edits {
  readonly ids: readonly string[];
  readonly due: Date;
}

export async function pendingEdits(place: Place): Promise<Work> {
  const workflowOf = (id: string) =>
    place.temporal.client.workflow.getHandle(workflowIdOf('pending-edit', id));
  const waits = async (id: string): Promise<boolean> => {
    const found = await workflowOf(id)
      .describe()
      .catch(() => null);
    return found?.typedSearchAttributes.get(searchAttributes.processState) === 'waiting';
  };

  /** Edits whose workflows wait for their time: if it comes before that on a slow machine, others with more time. */
  async function waiting(): Promise<{ edits: Edits[]; killAt: number }> {
    for (let soonMs = SOON_MS; ; soonMs *= 2) {
      const sites = await Promise.all(DUE_BEFORE_MS.map(() => edited(place)));
      const killAt = Date.now() + soonMs;
      const asked = sites.map(({ key, ids }, at) =>
        schedule(place, key, ids, killAt - (DUE_BEFORE_MS[at] ?? 0)),
      );
      const edits = (await Promise.all(asked)).filter((each) => each !== null);
      const ids = edits.flatMap((each) => each.ids);
      const tooLate = killAt - Math.max(...DUE_BEFORE_MS) - MARGIN_MS;
      if (edits.length === asked.length && (await allWait(ids, waits, tooLate))) return { edits, killAt };
    }
  }

  const { edits, killAt } = await waiting();

  async function expectDone(): Promise<void> {
    for (const id of edits.flatMap(({ ids }) => ids))
      await eventually(
        'its workflow has ended',
        async () => (await workflowOf(id).describe()).status.name === 'COMPLETED',
      );
    for (const { ids, due } of edits) {
      const { rows } = await place.api.db.pool.query(
        `select a.title, a.updated_at >= $2 as in_time, exists (select from pending_edits e where e.article_id = a.id) as pending,
           (select count(*)::int from events v
            where v.event = 'article.updated' and v.body::jsonb #>> '{data,id}' = a.id::text) as events
         from articles a where a.id = any($1)`,
        [ids, due],
      );
      expect(rows).toEqual(ids.map(() => ({ title: 'Edited', in_time: true, pending: false, events: 1 })));
    }
  }

  return { kills: [() => sleep(Math.max(0, killAt - Date.now()))], expectDone };
}

/** Published articles with edits, of a Site of their own: a key may send 120 writes a minute. */
async function edited({ api }: Place): Promise<{ key: string; ids: string[] }> {
  const { secretKey: key } = await buildTenant(api.db);
  const ids: string[] = [];
  for (let number = 0; number < EDITS; number += 1) {
    const { id } = await buildPublished(api, key, { title: 'Live' });
    await api.request('PATCH', `/articles/${id}/pending`, { key, body: { title: 'Edited' } });
    ids.push(id);
  }
  return { key, ids };
}

/** @returns null if the time has passed before the API was asked, as on a slow machine */
async function schedule(
  { api }: Place,
  key: string,
  ids: readonly string[],
  dueAt: number,
): Promise<Edits | null> {
  const due = new Date(dueAt);
  const body = { scheduled_at: due.toISOString() };
  const answers = await Promise.all(
    ids.map((id) => api.request('POST', `/articles/${id}/pending/schedule`, { key, body })),
  );
  const statuses = answers.map(({ status }) => status);
  if (statuses.includes(422) && dueAt < Date.now()) return null;
  expect(statuses).toEqual(ids.map(() => 200));
  return { ids, due };
}
