import type { Route, Page } from 'playwright-core';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { formOf, refuses, startModelServer, writes } from '../adapters/writer/model-server.ts';
import type { ModelServer, Reaction } from '../adapters/writer/model-server.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { startDashboard, useVisits } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { buildPurse, grant, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack } from '../support/pipeline.ts';

inBrowser('runs of the pipeline, in Chromium', () => {
  let stack: PipelineStack;
  const dashboard = useVisits(() => stack);
  let model: ModelServer;
  const http = createGuardedClient();

  beforeAll(async () => {
    stack = await startPipeline(undefined, undefined, await startDashboard({ writer: 'llm' }));
    model = await startModelServer();
    stack.writer = createModelWriter({
      baseUrl: model.url,
      apiKey: 'key',
      model: 'model',
      http,
      jobProcesses: stack.jobProcesses,
    });
  });
  beforeEach(() => {
    model.reactions = [writes];
  });
  afterAll(async () => {
    await stack.close();
    await model.close();
    await http.close();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const topic = (page: Page, number: number) =>
    page.getByRole('textbox', { name: `Topic ${number}`, exact: true });
  const summary = (page: Page) => page.getByRole('region', { name: 'Progress' });
  const article = (page: Page, title: string) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: title });
  const press = async (page: Page, name: string | RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  const count = async ({ tenant }: Visit): Promise<number> =>
    (await dashboard.api.request('GET', '/pipeline/runs', { key: tenant.secretKey })).data.items.length;

  /** Somebody of an organisation with so many credits. */
  async function withCredits(credits: number, values: Parameters<typeof buildPurse>[2] = {}): Promise<Visit> {
    const { key, ...purse } = await buildPurse(dashboard.api, credits, values);
    return dashboard.visit({ tenant: { ...purse, memberId: '', secretKey: key, publishableKey: '' } });
  }

  /** The model answers requests of this form only after `goOn`. */
  function held(form: string): () => void {
    let goOn = (): void => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const hold: Reaction = (response, asked) =>
      void (formOf(asked) === form ? waiting : Promise.resolve()).then(() => writes(response, asked));
    model.reactions = [hold];
    return goOn;
  }

  test('by keyboard alone: topics are given, the run is watched, and its articles are there', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    const goOn = held('article');
    await visit.open('/runs');
    await page.getByText('No runs yet').waitFor();
    await press(page, 'Start a run');
    await topic(page, 1).waitFor();
    await tabTo(page, topic(page, 1));
    await page.keyboard.type('How to bake bread');
    await press(page, 'Add a topic');
    await topic(page, 2).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('How to keep bread');
    await page.getByText('Up to 38 credits for 2 topics.').waitFor();
    await page.getByText('Balance: 1,000 credits').waitFor();
    await press(page, 'Start run');
    await summary(page).getByText('Running').waitFor();
    await summary(page).getByText('2 articles · 6 of 10 stages').waitFor();
    await article(page, 'How to bake bread').getByText('Plan done, 3 of 5 stages').waitFor();
    goOn();
    await summary(page).getByText('Completed').waitFor();
    await summary(page).getByText('2 articles · 10 of 10 stages').waitFor();
    expect(await summary(page).innerText()).toMatch(/38\s+Written by\s+A language model/);
    await article(page, 'How to keep bread').getByText('Needs images').waitFor();
    await tabTo(page, 'How to keep bread');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();
    await visit.open('/runs');
    await page.getByRole('row', { name: '2 articles' }).getByText('Completed').waitFor();
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await summary(page).waitFor();
  });

  test('wrong topics get their messages at their fields, and what was typed stays', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await visit.open('/runs/new');
    await button(page, 'Start run').click();
    await topic(page, 1).and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await topic(page, 1).fill('How to bake bread');
    await button(page, 'Add a topic').click();
    await topic(page, 2).fill('How to keep bread');
    await button(page, 'Keywords, sources and notes: Topic 2').click();
    await page.getByRole('combobox', { name: 'Keywords' }).fill('rye');
    await page.keyboard.press('Enter');
    await page.getByLabel('Address of a source').fill('not an address');
    await button(page, 'Start run').click();
    const source = page.getByLabel('Address of a source').and(page.locator('[aria-invalid=true]:focus'));
    await source.waitFor();
    expect(await page.getByRole('alert').getByText('topics.').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(await topic(page, 1).inputValue()).toBe('How to bake bread');
    expect(await source.inputValue()).toBe('not an address');
    await page.getByText('rye', { exact: true }).waitFor();
    await button(page, 'Remove topic 1').click();
    await page.getByLabel('Address of a source').fill('');
    await button(page, 'Start run').click();
    await article(page, 'How to keep bread').waitFor();
    expect(await count(visit)).toBe(1);
  });

  test.each([900, 480])(
    'at a width of %i, the button stays in its place while the form loads',
    async (width) => {
      const { page, open } = await dashboard.visit({ browser: { viewport: { width, height: 1200 } } });
      /** Holds back what is asked for until it is let go. */
      const hold = async (url: string, isMeant: (route: Route) => Promise<boolean>) => {
        const asked = Promise.withResolvers<void>();
        const answers = Promise.withResolvers<void>();
        await page.route(url, async (route) => {
          if (await isMeant(route)) {
            asked.resolve();
            await answers.promise;
          }
          await route.continue();
        });
        return { asked: asked.promise, answer: () => answers.resolve() };
      };
      // Scripts have no names that tell what is in them.
      const choices = await hold('**/assets/*.js', async (route) =>
        (await (await route.fetch()).text()).includes('topics.0.format_id'),
      );
      const balance = await hold('**/v1/usage', () => Promise.resolve(true));
      // It is not open before the choices are loaded.
      const opened = open('/runs/new');
      await Promise.all([choices.asked, balance.asked]);
      const form = page.getByRole('group', { name: 'For all topics' });
      await form.and(page.locator('[aria-busy]')).waitFor();
      const place = () => button(page, 'Start run').boundingBox();
      const before = await place();
      choices.answer();
      await form.and(page.locator(':not([aria-busy])')).waitFor();
      balance.answer();
      await page.getByText('Balance: ').waitFor();
      await opened;
      expect(before).not.toBeNull();
      expect(await place()).toEqual(before);
    },
  );

  test('several lines that are pasted become topics', async () => {
    const { page, open } = await dashboard.visit();
    await open('/runs/new');
    await topic(page, 1).waitFor();
    const lines = ['How to bake rye', '', ...Array.from({ length: 60 }, (_, index) => `Number ${index + 2}`)];
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines.join('\n'))})`);
    await topic(page, 1).press('ControlOrMeta+V');
    await page.getByText('A run takes at most 50 topics.').waitFor();
    expect(await topic(page, 1).inputValue()).toBe('How to bake rye');
    expect(await topic(page, 50).inputValue()).toBe('Number 50');
    await page.getByText('Up to 950 credits for 50 topics.').waitFor();
  });

  test.each([
    ['no credits', { credits: 0 }, 'The balance does not pay for the first stage.'],
    ['a spent cap', { credits: 100, spendCap: 0 }, 'The Site has spent what its monthly cap allows.'],
    [
      'a plan without runs',
      { credits: 100, plan: 'free' },
      'The plan of your organisation does not include runs.',
    ],
  ] as const)('%s: the refusal says what to do, and nothing is lost', async (_, values, message) => {
    const { credits, ...more } = values;
    const visit = await withCredits(credits, more);
    const { page } = visit;
    await visit.open('/runs/new');
    await topic(page, 1).fill('How to bake bread');
    await page.getByText(`Balance: ${credits} credits`).waitFor();
    await button(page, 'Start run').click();
    await page.getByRole('alert').getByText(message).waitFor();
    expect(await topic(page, 1).inputValue()).toBe('How to bake bread');
    expect(await count(visit)).toBe(0);
  });

  test('without unfinished articles there is nothing to go on with', async () => {
    const { page, open } = await dashboard.visit();
    await open('/runs/new');
    await page.getByRole('radio', { name: 'Unfinished articles' }).check();
    await page.getByText('Each article pays for the stages that are left').waitFor();
    await button(page, 'Start run').click();
    await page.getByRole('alert').getByText('There is nothing to do').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a run whose answer was lost is started once', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    await visit.open('/runs/new');
    await topic(page, 1).fill('How to bake bread');
    const runs = (url: URL): boolean => url.pathname.endsWith('/pipeline/runs');
    await page.route(runs, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Start run').click();
    await page.getByRole('alert').getByText('There is no connection').waitFor();
    await page.unroute(runs);
    await button(page, 'Start run').click();
    await summary(page).getByText('Completed').waitFor();
    expect(await count(visit)).toBe(1);
  });

  test('a run that the credits did not last for says so, and a new one goes on with what is left', async () => {
    const visit = await withCredits(5);
    const { page, tenant } = visit;
    await visit.open('/runs/new');
    await topic(page, 1).fill('How to bake bread');
    await page.getByText('Only 5 credits can be spent.').waitFor();
    await button(page, 'Start run').click();
    await summary(page).getByText('Ended early').waitFor();
    await summary(page).getByText('The balance did not pay for the next stage.').waitFor();
    await summary(page).getByText('1 article · 3 of 5 stages').waitFor();
    await button(page, 'Go on with what is left').click();
    await page.getByRole('status').getByText('The balance does not pay for the first stage.').waitFor();
    await grant(dashboard.api, tenant.organisationId, 100);
    const before = page.url();
    await press(page, 'Go on with what is left');
    await page.waitForURL((url) => url.href !== before);
    await summary(page).getByText('Completed').waitFor();
    await summary(page).getByText('1 article · 2 of 2 stages').waitFor();
    expect(await count(visit)).toBe(2);
  });

  test('a run is cancelled after a word, and what was in progress is finished', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    const goOn = held('article');
    const { id } = await startRun(dashboard.api, visit.tenant.secretKey, { topics: topics(1) });
    await visit.open(`/runs/${id}`);
    await summary(page).getByText('3 of 5 stages').waitFor();
    await press(page, 'Cancel run');
    const dialog = page.getByRole('dialog', { name: 'Cancel this run?' });
    await button(page, 'Cancel').and(page.locator(':focus')).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel run' }).press('Enter');
    await page.getByText('The run stops after the stages that are in progress.').waitFor();
    goOn();
    await summary(page).getByText('Cancelled', { exact: true }).waitFor();
    await summary(page).getByText('Somebody cancelled this run.').waitFor();
    await article(page, 'How to bake bread').getByText('Write done, 4 of 5 stages').waitFor();
    await button(page, 'Go on with what is left').waitFor();
  });

  test('a failed article says why, and is put back in the queue for the next run', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    model.reactions = [refuses(401)];
    const { id } = await startRun(dashboard.api, visit.tenant.secretKey, { topics: topics(1) });
    await visit.open(`/runs/${id}`);
    await summary(page).getByText('Failed', { exact: true }).waitFor();
    await summary(page).getByText('The language model did not answer.').waitFor();
    await article(page, 'How to bake bread').getByText('it answered 401').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    model.reactions = [writes];
    await press(page, /^Put back in the queue: /);
    await page.getByText('It is back in the queue.').waitFor();
    await article(page, 'How to bake bread').getByText('Discovered').waitFor();
    expect(await button(page, 'Put back in the queue').count()).toBe(0);
    await visit.open('/runs/new');
    await page.getByRole('radio', { name: 'Unfinished articles' }).check();
    await button(page, 'Start run').click();
    await summary(page).getByText('Completed').waitFor();
  });

  test('a run shows what its writer was asked, and an article is rejected and put back', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    const { id } = await startRun(dashboard.api, visit.tenant.secretKey, { topics: topics(1) });
    await visit.open(`/runs/${id}`);
    await summary(page).getByText('Completed').waitFor();
    await summary(page).getByText('55 tokens in, 35 out').waitFor();
    await page.getByText('What the writer was asked').click();
    const step = page.getByRole('listitem').filter({ hasText: 'Classify, attempt 1' });
    await step.getByText('11 tokens in, 7 out').waitFor();
    await step.getByText('Prompt and answer').click();
    await step.getByRole('region', { name: 'Prompt' }).getByText('How to bake bread').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByText('What the writer was asked').click();
    await press(page, /^Reject: /);
    await page.getByRole('textbox', { name: 'Reason, for the team' }).fill('Twice told.');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('The article is rejected.').waitFor();
    await article(page, 'How to bake bread').getByText('Rejected', { exact: true }).waitFor();
    await press(page, /^Put back in the queue: /);
    await article(page, 'How to bake bread').getByText('Needs images').waitFor();
  });

  test('a run that cannot be read any more stays in sight, and goes on when it can', async () => {
    const visit = await dashboard.visit();
    const { page } = visit;
    const goOn = held('article');
    const { id } = await startRun(dashboard.api, visit.tenant.secretKey, { topics: topics(1) });
    await visit.open(`/runs/${id}`);
    await summary(page).getByText('3 of 5 stages').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('alert').getByText('There is no connection').waitFor();
    await summary(page).getByText('3 of 5 stages').waitFor();
    goOn();
    await page.context().setOffline(false);
    await summary(page).getByText('Completed').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await visit.open('/runs/00000000-0000-7000-8000-000000000000');
    await page.getByText('There is no such run').waitFor();
  });

  test('it reads well in German at 320 px, and a viewer changes nothing', async () => {
    const visit = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 700 } },
    });
    const { page, tenant } = visit;
    model.reactions = [refuses(401)];
    const title = `كيف نخبز ${'Donaudampfschiff'.repeat(8)}`;
    const { id } = await startRun(dashboard.api, tenant.secretKey, { topics: [{ title }] });
    await visit.open(`/runs/${id}`);
    await page.getByText('Das Sprachmodell hat nicht geantwortet').waitFor();
    expect(await isTooWide(page)).toBe(false);
    await visit.open('/runs/new');
    await page.getByRole('button', { name: 'Stichwörter, Quellen und Notizen' }).click();
    await page.getByLabel('Adresse einer Quelle').waitFor();
    expect(await isTooWide(page)).toBe(false);
    const viewer = await dashboard.visit({ tenant, role: 'viewer' });
    await viewer.open(`/runs/${id}`);
    await summary(viewer.page).getByText('Failed', { exact: true }).waitFor();
    expect(await viewer.page.getByRole('main').getByRole('button').count()).toBe(0);
  });
});
