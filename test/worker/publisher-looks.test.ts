import { findSitesWithDue } from '../../domain/publication/publish-due.ts';
import { listen } from '../../worker/listener.ts';
import type { Publisher } from '../../worker/publisher.ts';
import { buildArticle, buildPublished } from '../support/builders.ts';
import { directUrl } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/temporal.ts';
import {
  api,
  arePublic,
  clock,
  countedWarnings,
  HOUR_MS,
  inMs,
  looked,
  MINUTE_MS,
  nextTenant,
  schedule,
  scheduled,
  standingOf,
  startPublisher,
  tenant,
  waiting,
  usePublishing,
} from './publishing.ts';

usePublishing();

/** Runs work while no event about an article can be stored. */
async function whilePoisoned(id: string, work: () => Promise<void>): Promise<void> {
  await api.db.pool.query(`
    create function refuse_poison() returns trigger language plpgsql as
      $$ begin if new.body like '%${id}%' then raise 'no'; end if; return new; end $$;
    create trigger refuse_poison before insert on events for each row execute function refuse_poison()`);
  try {
    await work();
  } finally {
    await api.db.pool.query('drop function refuse_poison cascade');
  }
}

/** Lets a second pass for the publisher. */
async function second(publisher: Publisher): Promise<void> {
  clock.advance(1_000);
  await looked(publisher);
}

test('a Site with more due articles than a look considers hides none of another', async () => {
  const due = inMs(HOUR_MS);
  const { pool } = api.db;
  // Nothing is searched for here.
  await pool.query('alter table articles disable trigger articles_words_of_new');
  try {
    await pool.query(
      `insert into articles (id, site_id, status, title, slug, content, scheduled_publish_at, created_at, updated_at)
       select gen_random_uuid(), $1, 'scheduled', 'Title', 'slug-' || n, 'Text.', $2, now(), now()
       from generate_series(1, 10001) n`,
      [tenant.siteId, due],
    );
    const { siteId: many } = tenant;
    await nextTenant();
    await scheduled(inMs(HOUR_MS + 1));
    expect(await findSitesWithDue(api.db, inMs(HOUR_MS + 1), [])).toEqual([many, tenant.siteId]);
    await pool.query('delete from articles where site_id = $1', [many]);
  } finally {
    await pool.query('alter table articles enable trigger articles_words_of_new');
  }
});

test('an article that cannot be published delays none of another Site', async () => {
  const due = inMs(HOUR_MS);
  const [poison = ''] = await scheduled(due);
  await nextTenant();
  const sound = await scheduled(due);
  const next = await scheduled(inMs(2 * HOUR_MS));
  await whilePoisoned(poison, async () => {
    startPublisher();
    clock.advanceTo(due);
    await eventually('the other Site is published', () => arePublic(sound));
    clock.advance(HOUR_MS);
    await eventually('so it is later', () => arePublic(next));
    expect(await standingOf([poison])).toEqual(waiting([poison]));
  });
  await eventually('it is published once it can be', () => {
    clock.advance(MINUTE_MS);
    return arePublic([poison]);
  });
});

test('an article that cannot be published delays none of its Site, and is tried again ever more seldom', async () => {
  const due = inMs(HOUR_MS);
  const [poison = '', ...sound] = await scheduled(due, 4);
  const { log, count } = countedWarnings();
  await whilePoisoned(poison, async () => {
    clock.advanceTo(due);
    const publisher = startPublisher({ log });
    await eventually('the others are public', () => arePublic(sound));
    await looked(publisher);
    const tries: number[] = [count()];
    for (let seconds = 1; seconds <= 8; seconds += 1) {
      await second(publisher);
      tries.push(count());
    }
    expect(tries).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4]);
  });
});

test('an edit that cannot be published delays no other, and is tried again ever more seldom', async () => {
  const key = tenant.secretKey;
  const due = inMs(HOUR_MS);
  const ids: string[] = [];
  for (const title of ['Poison', 'Sound']) {
    const { id } = await buildPublished(api, key, { title });
    await api.request('PATCH', `/articles/${id}/pending`, { key, body: { title: `${title}, edited` } });
    const body = { scheduled_at: due.toISOString() };
    await api.request('POST', `/articles/${id}/pending/schedule`, { key, body });
    ids.push(id);
  }
  const [poison = '', sound = ''] = ids;
  const { log, count } = countedWarnings();
  await whilePoisoned(poison, async () => {
    clock.advanceTo(due);
    const publisher = startPublisher({ of: 'edits', log });
    await eventually('the other is public', async () => {
      const { data } = await api.request('GET', `/articles/${sound}`, { key });
      return data.title === 'Sound, edited';
    });
    await looked(publisher);
    const tries: number[] = [count()];
    for (let seconds = 1; seconds <= 4; seconds += 1) {
      await second(publisher);
      tries.push(count());
    }
    expect(tries).toEqual([1, 2, 2, 3, 3]);
  });
});

test('a publisher that is told of schedules publishes what is scheduled a second ahead, and looks seldom', async () => {
  const url = directUrl(api.url);
  let publisher: Publisher | undefined;
  const listener = listen(url, silent, {
    presswork_outbox: () => {},
    presswork_schedules: (times) => publisher?.scheduled(Math.min(...times.split(',').map(Number))),
    presswork_webhooks: () => {},
  });
  try {
    await eventually('it listens', () => listener.pid() !== null);
    const ahead = clock.now().getTime() - Date.now();
    const running = { now: () => new Date(Date.now() + ahead) };
    publisher = startPublisher({ by: running, told: () => listener.pid() });
    const { id: later } = await buildArticle(api, tenant.secretKey, { title: 'Later', content: 'Text.' });
    const { id: sooner } = await buildArticle(api, tenant.secretKey, { title: 'Sooner', content: 'Text.' });
    await schedule(later, inMs(HOUR_MS));
    const told = publisher;
    await eventually('it waits', () => told.idleMs() > 1_200);
    await schedule(sooner, new Date(running.now().getTime() + 1_000));
    await eventually('it is public', () => arePublic([sooner]));
    expect(await standingOf([later])).toEqual(waiting([later]));
  } finally {
    listener.close();
  }
});
