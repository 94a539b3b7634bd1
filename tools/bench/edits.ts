import { request } from 'undici';
import { get, inTurn, scattered, send } from './requests.ts';
import type { Scenario } from './requests.ts';

/** Changes of the article whose revisions are listed. */
const REVISIONS = 120;

/** What editors do besides writing: pending edits of published articles, and looking at revisions. */
export const editScenarios: Readonly<Record<string, Scenario>> = {
  pending: {
    title: 'change a pending edit',
    target: 'api',
    status: 200,
    async prepare({ large }) {
      const [key, id] = [inTurn(large.keys), scattered(large.published)];
      let number = 0;
      return () =>
        send('PATCH', key(), `/v1/articles/${id()}/pending`, { title: `Edited ${(number += 1)} times` });
    },
  },
  revisions: {
    title: 'list 100 revisions',
    target: 'api',
    status: 200,
    async prepare({ large }, origin) {
      const [key, path] = [inTurn(large.keys), `/v1/articles/${large.drafts[0]}`];
      for (let number = 0; number < REVISIONS; number += 1) {
        const { method, headers, body } = send('PATCH', key(), path, { title: `Revision ${number}` });
        const answer = await request(origin + path, { method, headers, body: body ?? null });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`PATCH ${path}: ${answer.statusCode}`);
      }
      return () => get(key(), `${path}/revisions?limit=100`);
    },
  },
};
