import { buildPublished, buildTenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import type { Place, Work } from './place.ts';

const FOLDER = 'killed';

export async function push(place: Place): Promise<Work> {
  const { api, repository, workers } = place;
  const { secretKey: key } = await buildTenant(api.db);
  const connection = await send(place, key, 'POST', '/delivery/connections', {
    kind: 'git',
    name: 'A repository',
    config: { remote_url: repository.url, path: FOLDER },
    secret: repository.password,
  });
  const articles = await Promise.all([1, 2, 3].map(() => buildPublished(api, key)));
  let arrived = false;
  let dead = false;
  repository.before = async (request) => {
    // The push is on its way when the worker dies, and arrives afterwards.
    if (!arrived && request.method === 'POST' && request.url?.includes('receive-pack')) {
      arrived = true;
      await workers.kill();
      dead = true;
    }
    return false;
  };
  const { id } = await send(place, key, 'POST', '/delivery/cms/push', {
    connection_id: connection.id,
    article_ids: articles.map((article) => article.id),
  });
  return {
    kills: [() => eventually('the worker is dead', () => dead)],
    async expectDone() {
      const { items } = await finished(place, key, id);
      expect(items.map((item: any) => item.status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      const files = Object.keys(await repository.files()).filter((path) => path.startsWith(`${FOLDER}/`));
      expect(files.toSorted()).toEqual(articles.map(({ slug }) => `${FOLDER}/${slug}.md`).toSorted());
      expect(await repository.commits()).toBe(2);
    },
  };
}

export async function send({ api }: Place, key: string, method: string, path: string, body?: object) {
  const answer = await api.request(method, path, { key, ...(body && { body }) });
  if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
}

/** Waits until a push is finished. @returns the push */
export async function finished(place: Place, key: string, id: string) {
  const read = () => send(place, key, 'GET', `/delivery/pushes/${id}`);
  await eventually('the push is finished', async () => (await read()).finished_at !== null, 100);
  return read();
}
