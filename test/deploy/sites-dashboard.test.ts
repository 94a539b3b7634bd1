import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../../runtime/home.ts';
import { useApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { urlOf } from '../support/database.ts';

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly rawSql: string }[];
}

const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/dashboards/sites.json'), 'utf8')) as {
  panels: readonly Panel[];
};

const api = await useApi({}, { ownDatabase: 'the panels show the twenty busiest of all Sites' });
let tenant: Tenant;

beforeAll(async () => {
  tenant = await buildTenant(api.db);
  const article = await buildArticle(api, tenant.secretKey, { title: 'Soon', content: 'Text.' });
  await api.request('POST', `/articles/${article.id}/schedule`, {
    key: tenant.secretKey,
    body: { scheduled_publish_at: new Date(Date.now() + 3_600_000).toISOString() },
  });
});

/** Asks as Grafana signs in. */
async function ask(rawSql: string): Promise<pg.QueryResult> {
  const support = new pg.Client(urlOf('SUPPORT_DATABASE_URL', new URL(api.url).pathname.slice(1)));
  await support.connect();
  try {
    return await support.query(withoutMacros(rawSql));
  } finally {
    await support.end();
  }
}

/** What Grafana puts in the place of its macros. */
const withoutMacros = (text: string): string =>
  text.replaceAll(/\$__timeFilter\(([\w.]+)\)/g, "$1 between now() - interval '1 hour' and now()");

test.each(panels.map((panel) => [panel.title, panel] as const))(
  '%s: support may ask it, it names the Site, and it shows twenty rows at most',
  async (_title, { targets }) => {
    for (const { rawSql } of targets) {
      const { fields } = await ask(rawSql);
      expect(fields.slice(0, 2).map(({ name }) => name)).toEqual(['site', 'id']);
      expect(rawSql).toMatch(/limit 20$/);
    }
  },
);

test('a Site with a scheduled article is shown with it', async () => {
  const [panel] = panels.filter(({ title }) => title === 'Scheduled articles');
  const { rows } = await ask(panel!.targets[0]!.rawSql);
  expect(rows).toContainEqual(expect.objectContaining({ id: tenant.siteId, scheduled: '1', overdue: '0' }));
});
