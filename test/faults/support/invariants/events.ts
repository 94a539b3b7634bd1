import type { Stack } from '../stack.ts';

interface EventRow {
  readonly id: string;
  readonly event: string;
  readonly subject: string;
  readonly created_at: Date;
}

/** Every event exists once and arrived at every receiver; nothing was published before its time. */
export async function checkEvents(stack: Stack): Promise<string[]> {
  const { db, earlierEvents, receivers } = stack;
  const { rows } = await db.pool.query<EventRow>(
    `select id, event, body::jsonb -> 'data' ->> 'id' as subject, created_at from events`,
  );
  const events = rows.filter(({ id }) => !earlierEvents.has(id));
  const missing = receivers.flatMap(({ events: arrived }, index) =>
    events
      .filter(({ id }) => !arrived.has(id))
      .map(({ id, event, subject }) => `receiver ${index} never got ${event} ${id} of ${subject}`),
  );
  const invented = receivers.flatMap(({ events: arrived }) => {
    const known = new Set(rows.map(({ id }) => id));
    return [...arrived.keys()].filter((id) => !known.has(id)).map((id) => `${id} was sent, and is no event`);
  });
  const forged = receivers.flatMap(({ wrong }) => wrong);
  return [...missing, ...invented, ...forged, ...checkCauses(stack, events)];
}

/** Each change has exactly one event. */
function checkCauses({ load }: Stack, events: readonly EventRow[]): string[] {
  const { articles, runs, comments } = load.promises;
  const times = Map.groupBy(events, ({ event, subject }) => `${event} ${subject}`);
  const wrong: string[] = [];
  const expect = (name: string, count: number): void => {
    const found = times.get(name)?.length ?? 0;
    if (found !== count) wrong.push(`${found} times ${name}, in place of ${count}`);
  };
  for (const [id, { state, dueAt }] of articles) {
    expect(`article.published ${id}`, state === 'draft' ? 0 : 1);
    expect(`article.unpublished ${id}`, state === 'withdrawn' ? 1 : 0);
    expect(`article.deleted ${id}`, state === 'deleted' ? 1 : 0);
    const at = times.get(`article.published ${id}`)?.[0]?.created_at.getTime();
    if (dueAt !== null && at !== undefined && at < dueAt)
      wrong.push(`article ${id} was published ${dueAt - at} ms before its time`);
  }
  for (const id of runs.keys()) expect(`pipeline_run.finished ${id}`, 1);
  const created = events.filter(({ event }) => event === 'comment.created').length;
  if (created !== comments.size) wrong.push(`${created} times comment.created, in place of ${comments.size}`);
  return wrong;
}
