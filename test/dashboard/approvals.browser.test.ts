import type { Page } from 'playwright-core';
import { ask, buildAgent, decideAs, sendAs } from '../support/approvals.ts';
import type { AgentRequest } from '../support/approvals.ts';
import { createKey } from '../../domain/access/keys.ts';
import { chosenGates, defaultGates } from '../../domain/approvals/gated-operations.ts';
import { recordAudit } from '../../domain/audit/record.ts';
import { newId } from '../../domain/kernel/ids.ts';
import { buildArticle, buildMember, buildPublished, buildTerm } from '../support/builders.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

inBrowser('the approvals in the dashboard', () => {
  const dashboard = useDashboard();
  let visit: Visit;
  let page: Page;
  let key: string;
  let agent: string;
  beforeEach(async () => {
    visit = await dashboard.visit();
    page = visit.page;
    key = visit.tenant.secretKey;
    agent = (await buildAgent(dashboard.api, visit.tenant)).secret;
  });

  const article = (title: string) => buildArticle(dashboard.api, key, { title });
  const deletion = (id: string): AgentRequest => ({ method: 'DELETE', path: `/articles/${id}`, options: {} });
  const request = (method: string, path: string, body: object): AgentRequest => ({
    method,
    path,
    options: { body, idempotencyKey: true },
  });
  const asked = (what: AgentRequest): Promise<string> => ask(dashboard.api, agent, what);
  const statusOf = async (id: string): Promise<string> =>
    (await dashboard.api.request('GET', `/approvals/${id}`, { key })).data.status;
  const navigation = () => page.getByRole('navigation', { name: 'Screens' }).first();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const row = (name: string) => page.getByRole('row', { name });

  test('a request is found by its badge and approved by keyboard alone, and the agent may then do it', async () => {
    const { id } = await article('To be deleted');
    const what = deletion(id);
    const approval = await asked(what);
    await visit.open('');
    await navigation().getByText('Approvals, 1 waiting').or(navigation().getByText(', 1 waiting')).waitFor();
    await navigation().getByRole('link', { name: 'Approvals' }).focus();
    await page.keyboard.press('Enter');
    await row('Delete an article').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading('Delete an article').waitFor();
    await page.getByText('To be deleted').waitFor();
    await page.getByText('The article is deleted for good').waitFor();
    await tabTo(page, 'Approve');
    await page.keyboard.press('Enter');
    await page.getByText('Approved. The agent may now do it once.').waitFor();
    await page.getByText('The agent may do it once until it expires.').waitFor();
    await page.locator('section:focus', { hasText: 'You or somebody else has approved this.' }).waitFor();
    expect(await statusOf(approval)).toBe('approved');
    await navigation().getByText(', 1 waiting').waitFor({ state: 'detached' });
    expect((await sendAs(dashboard.api, agent, what, approval)).status).toBe(204);
  });

  test('a link leads to a request, which is denied, and then to the next one', async () => {
    const [first, second] = [
      await asked(deletion((await article('First')).id)),
      await asked(request('POST', '/keys', { name: 'New key', kind: 'secret', scopes: ['articles:read'] })),
    ];
    await visit.open(`/approvals/${first}`);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied. The agent is told so.').waitFor();
    expect(await statusOf(first)).toBe('denied');
    await page.getByRole('link', { name: 'Next request' }).click();
    await heading('Create a key').waitFor();
    await page.getByText('New key', { exact: true }).waitFor();
    expect(page.url()).toContain(second);
    await page.getByRole('link', { name: 'Approvals', exact: true }).last().click();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await row('Delete an article').getByText('Denied').waitFor();
  });

  test('what would change is shown beside what is there now', async () => {
    const body = { url: 'https://receiver.example/hooks', events: ['article.published'] };
    const hook = await dashboard.api.request('POST', '/webhooks', { key, body, idempotencyKey: true });
    const change = { url: 'https://elsewhere.example/hooks', events: ['article.published'] };
    const id = await asked(request('PATCH', `/webhooks/${hook.data.id}`, change));
    await visit.open(`/approvals/${id}`);
    await page.locator('del', { hasText: 'https://receiver.example/hooks' }).waitFor();
    await page.locator('ins', { hasText: 'https://elsewhere.example/hooks' }).waitFor();
    // The events stay the same, and are no change.
    expect(await page.locator('ins').count()).toBe(1);

    const member = await buildMember(dashboard.api.db, visit.tenant.organisationId, 'viewer');
    await visit.open(`/approvals/${await asked(request('PATCH', `/team/${member}`, { role: 'admin' }))}`);
    await page.locator('del', { hasText: 'viewer' }).waitFor();
    await page.locator('ins', { hasText: 'admin' }).waitFor();
  });

  /** Agents ask before they change what readers see. */
  const gateAll = async (): Promise<void> => {
    const approval_operations = [...chosenGates, ...defaultGates];
    const answer = await dashboard.api.request('PATCH', '/organisation', {
      key,
      body: { approval_operations },
    });
    expect(answer.status).toBe(200);
  };
  const removed = () => page.locator('.cm-deletedChunk');
  const inserted = () => page.locator('.cm-changedLine');
  const rendered = () => page.frameLocator('iframe');

  test('a change of what readers see is a difference of the text, with names instead of ids', async () => {
    await gateAll();
    const category = await buildTerm(dashboard.api, key, 'categories', { name: 'Brewing' });
    const content = 'Boil water.\n\nWait three minutes.';
    const { id } = await buildPublished(dashboard.api, key, { title: 'Tea', content });
    const change = { content: 'Boil water.\n\nWait five minutes.', category_id: category.id };
    const approval = await asked(request('PATCH', `/articles/${id}`, change));
    await visit.open(`/approvals/${approval}`);
    await removed().getByText('Wait three minutes.').waitFor();
    await inserted().getByText('Wait five minutes.').waitFor();
    await page.locator('ins', { hasText: 'Brewing' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain(category.id);
    expect(await axeFindings(page)).toEqual([]);
    await tabTo(page, page.getByText('How it would look'));
    await page.keyboard.press('Enter');
    await rendered().getByText('Wait five minutes.').waitFor();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();

    const restore = await asked(request('POST', `/articles/${id}/revisions/1/restore`, {}));
    await dashboard.api.request('PATCH', `/articles/${id}/pending`, {
      key,
      body: { content: 'Use a kettle.' },
    });
    await visit.open(`/approvals/${restore}`);
    await page.getByText('It changes nothing.').waitFor();
    await visit.open(`/approvals/${await asked(request('POST', `/articles/${id}/pending/publish`, {}))}`);
    await removed().getByText('Wait three minutes.').waitFor();
    await inserted().getByText('Use a kettle.').waitFor();
  });

  test('what appears and what goes is shown as readers see it, and a time beside the one before', async () => {
    await gateAll();
    const draft = await buildArticle(dashboard.api, key, { title: 'Tea', content: 'Boil **water**.' });
    await visit.open(`/approvals/${await asked(request('POST', `/articles/${draft.id}/publish`, {}))}`);
    await page.getByText('What readers would see').waitFor();
    await rendered().locator('strong', { hasText: 'water' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await visit.open(`/approvals/${await asked(deletion(draft.id))}`);
    await page.getByText('What would go').waitFor();
    await rendered().locator('strong', { hasText: 'water' }).waitFor();
    const time = { scheduled_publish_at: '2031-05-01T08:00:00Z' };
    await visit.open(`/approvals/${await asked(request('POST', `/articles/${draft.id}/schedule`, time))}`);
    await page.locator('ins', { hasText: '2031' }).waitFor();
    await dashboard.api.request('POST', `/articles/${draft.id}/schedule`, { key, body: time });
    await visit.open(
      `/approvals/${await asked(request('POST', `/articles/${draft.id}/cancel-schedule`, {}))}`,
    );
    await page.locator('del', { hasText: '2031' }).waitFor();
  });

  test('settings of which there is one are shown as they are and as they would be', async () => {
    await visit.open(
      `/approvals/${await asked(request('PATCH', '/comments/settings', { close_after_days: 30 }))}`,
    );
    await page.locator('ins', { hasText: '30' }).waitFor();
    await visit.open(`/approvals/${await asked(request('PATCH', '/content-plan/autopilot', { items: 5 }))}`);
    await page.locator('ins', { hasText: '5' }).waitFor();
    await dashboard.api.request('PATCH', '/pipeline/prompts/generate', {
      key,
      body: { template: 'Write well.' },
    });
    await visit.open(
      `/approvals/${await asked({ method: 'DELETE', path: '/pipeline/prompts/generate', options: {} })}`,
    );
    await page.locator('del', { hasText: 'Write well.' }).waitFor();
  });

  test('the agent is named with its client and who let it in, and the run that wrote the article is a link', async () => {
    const { tenant } = visit;
    const actor = { kind: 'person', id: tenant.memberId, name: 'ada@example.com', requestId: 'one' } as const;
    const grant = newId();
    const made = await dashboard.api.db.transaction((tx) => {
      const organisationId = tenant.organisationId;
      const approve = { action: 'oauth_grant.approve', target: { type: 'oauth_grant', id: grant } } as const;
      const details = { client_id: 'https://client.example/metadata', client_name: 'Scribe' };
      recordAudit(tx, { actor, ...approve, siteId: tenant.siteId, organisationId, details }, new Date());
      return createKey(
        { tx, actor, now: new Date() },
        {
          siteId: tenant.siteId,
          memberId: tenant.memberId,
          name: 'Scribe',
          kind: 'secret',
          scopes: ['articles:read', 'articles:write'],
          heldByAgent: true,
          draftsOnly: false,
          expiresAt: null,
          oauthGrantId: grant,
        },
      );
    });
    const run = await dashboard.api.request('POST', '/pipeline/runs', {
      key,
      body: { topics: [{ title: 'How to bake bread' }] },
      idempotencyKey: true,
    });
    const written = run.data.articles[0].article_id;
    await visit.open(`/approvals/${await ask(dashboard.api, made.secret, deletion(written))}`);
    await page.getByText(/by .client\.example., let in by .ada@example\.com./u).waitFor();
    await page.getByRole('link', { name: 'Open the run that wrote it' }).click();
    await page.getByRole('link', { name: 'How to bake bread' }).waitFor();
  });

  test('all requests of an agent are approved together where each is shown, and each that cannot be says why', async () => {
    const titles = ['One', 'Two', 'Three'];
    const ids: string[] = [];
    for (const title of titles) ids.push(await asked(deletion((await article(title)).id)));
    await ask(
      dashboard.api,
      (await buildAgent(dashboard.api, visit.tenant)).secret,
      deletion((await article('Other')).id),
    );
    await visit.open('/approvals');
    await tabTo(page, /^Look at all 3 requests of/u);
    await page.keyboard.press('Enter');
    await heading('Requests of').waitFor();
    const cards = page.getByRole('article');
    for (const title of titles) await cards.filter({ hasText: `Delete an article: ${title}` }).waitFor();
    expect(await cards.count()).toBe(3);
    await rendered().first().getByText('One').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await tabTo(page, 'Approve all 3');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Approve these 3 requests?' });
    await dialog.getByRole('listitem').filter({ hasText: 'Three' }).waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(
      titles.map((title) => `Delete an article: ${title}`),
    );
    expect(await axeFindings(page)).toEqual([]);
    expect((await decideAs(dashboard.api, key, ids[1] ?? '', 'deny')).status).toBe(200);
    await dialog.getByRole('button', { name: 'Approve all 3' }).click();
    await page.locator('p:focus', { hasText: '2 of 3 are approved.' }).waitFor();
    await cards.filter({ hasText: 'Two' }).getByText('Somebody else decided this first').waitFor();
    await cards.filter({ hasText: 'One' }).getByText('You or somebody else has approved this.').waitFor();
    expect(await Promise.all(ids.map(statusOf))).toEqual(['approved', 'denied', 'approved']);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await isTooWide(page)).toBe(false);
  });

  test('articles are counted and named, however their ids are written, and those that are none are said', async () => {
    const [one, untitled] = [await article('To be deleted'), await buildArticle(dashboard.api, key, {})];
    const none = '0197a000-0000-7000-8000-00000000ABCD';
    const ids = [one.id.toUpperCase(), untitled.id.toUpperCase(), none];
    const id = await asked(request('POST', '/articles/bulk', { action: 'delete', article_ids: ids }));
    await visit.open(`/approvals/${id}`);
    const fields = page.getByRole('main').locator('dl').nth(1);
    await fields.getByText('To be deleted').waitFor();
    expect((await fields.innerText()).replaceAll('\n', ' ')).toBe(
      `Number of articles 3 Articles To be deleted Without a title ${untitled.id} Do not exist ${none.toLowerCase()}`,
    );
    const single = { ...deletion(one.id), path: `/articles/${one.id.toUpperCase()}` };
    await visit.open(`/approvals/${await asked(single)}`);
    await page.getByText('To be deleted').waitFor();
  });

  test('a target that changed or went meanwhile is said before somebody decides', async () => {
    const [changed, gone] = [await article('Changed'), await article('Gone')];
    const approvals = [await asked(deletion(changed.id)), await asked(deletion(gone.id))];
    await dashboard.api.request('PATCH', `/articles/${changed.id}`, {
      key,
      body: { title: 'Changed since' },
    });
    await dashboard.api.request('DELETE', `/articles/${gone.id}`, { key });
    await visit.open(`/approvals/${approvals[0]}`);
    await page.getByText('It has changed since the agent asked.').waitFor();
    await page.getByText('Changed since', { exact: true }).waitFor();
    await visit.open(`/approvals/${approvals[1]}`);
    await page.getByText('This does not exist any more.').waitFor();
  });

  test('of two people who decide, the second learns what the first decided', async () => {
    const id = await asked(deletion((await article('Twice')).id));
    await visit.open(`/approvals/${id}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect((await decideAs(dashboard.api, key, id, 'deny')).status).toBe(200);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Somebody else decided this first').waitFor();
    await page.getByText('This was denied.').waitFor();
    expect(await statusOf(id)).toBe('denied');
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  test('a request that expires in front of the person cannot be decided any more', async () => {
    const id = await asked(
      request('POST', '/keys', { name: 'Late', kind: 'secret', scopes: ['articles:read'] }),
    );
    await page.clock.install();
    await visit.open(`/approvals/${id}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.clock.fastForward('24:01:00');
    await page.getByText('Nobody decided or used this in time.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  test('what an agent wrote is text: no link, no form, nothing that decides', async () => {
    const name = '<form action="/approve"><button>Approve all</button></form> https://evil.example';
    const id = await asked(
      request('POST', '/keys', { name, kind: 'secret', scopes: ['articles:read'], held_by_agent: true }),
    );
    await visit.open(`/approvals/${id}`);
    await page.getByText(name).first().waitFor();
    expect(await page.locator('main form, main a[href*="evil"]').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Deny', 'Approve']);
    await page.getByText('Show the request as it was sent').click();
    await page.getByText('POST /keys').waitFor();
  });

  test('people and machines can read what would be written', async () => {
    const topics = { topics: [{ title: 'ما هو الشاي', keywords: ['long'.repeat(60)] }] };
    await visit.open(`/approvals/${await asked(request('POST', '/pipeline/runs', topics))}`);
    await page.getByText('ما هو الشاي').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await isTooWide(page)).toBe(false);
  });
});
