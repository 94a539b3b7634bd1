import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { createModelWriter } from '../../../adapters/writer/llm/writer.ts';
import { proposed, revised, startModelServer, writes } from '../../adapters/writer/model-server.ts';
import type { ModelServer } from '../../adapters/writer/model-server.ts';
import { axeFindings } from '../../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../../support/browser.ts';
import { buildArticle, buildTerm } from '../../support/builders.ts';
import { startDashboard, useVisits } from '../../support/dashboard-browser.ts';
import type { Visit, VisitOptions } from '../../support/dashboard-browser.ts';
import { ended, startPipeline, startRun, topics } from '../../support/pipeline.ts';
import type { PipelineStack } from '../../support/pipeline.ts';
import { saved } from './support.ts';

inBrowser('what the pipeline knows, in the editor', () => {
  let stack: PipelineStack;
  let model: ModelServer;
  const dashboard = useVisits(() => stack);
  const http = createGuardedClient();

  beforeAll(async () => {
    [stack, model] = await Promise.all([
      startPipeline(undefined, undefined, await startDashboard({ writer: 'llm' })),
      startModelServer(),
    ]);
    const { jobProcesses } = stack;
    stack.writer = createModelWriter({ baseUrl: model.url, apiKey: 'k', model: 'm', http, jobProcesses });
    model.reactions = [writes];
  });
  afterAll(async () => {
    await stack.close();
    await model.close();
    await http.close();
  });

  /** An article that the pipeline has written, open in the editor. */
  async function written(options: VisitOptions = {}, pipeline = 'Pipeline') {
    const visit = await dashboard.visit(options);
    const key = visit.tenant.secretKey;
    const category = await buildTerm(stack.api, key, 'categories', { name: proposed.category });
    const tag = await buildTerm(stack.api, key, 'tags', { name: proposed.tags[0] });
    const { id: runId } = await startRun(stack.api, key, { topics: topics(1) });
    const id = (await ended(stack.api, key, runId)).articles[0].article_id as string;
    const read = async () => (await stack.api.request('GET', `/articles/${id}`, { key })).data;
    return { ...visit, category, tag, id, runId, key, read, show: () => show(visit, id, pipeline) };
  }

  async function show({ page, open }: Visit, id: string, pipeline: string): Promise<void> {
    await open(`/articles/${id}`);
    await tabTo(page, page.getByRole('tab', { selected: true }));
    await page.getByRole('tab', { name: pipeline }).press('Enter');
  }

  test('by keyboard, proposals are taken over, saved like any edit, and lead to the steps of the run', async () => {
    const article = await written();
    const { page, key, id, tag, category } = article;
    expect(await article.read()).toMatchObject({ tag_ids: [tag.id], category_id: category.id });
    // What a person takes away is offered.
    await stack.api.request('PATCH', `/articles/${id}`, { key, body: { tag_ids: [], category_id: null } });
    await article.show();
    await page.getByText('Score: 90 of 100').waitFor();
    const panel = page.getByRole('tabpanel');
    await panel.getByText(proposed.titles[0]!).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const names = ['Title', 'Excerpt', 'Title for search engines', 'Category', 'Tags'];
    for (const name of names) {
      const button = panel.getByRole('button', { name: new RegExp(`^Take over as ${name}: `) });
      await button.focus();
      await page.keyboard.press('Enter');
      await panel
        .getByRole('button', { name: `${name}: in the article` })
        .and(page.locator(':focus'))
        .waitFor();
    }
    await saved(page);
    expect(await article.read()).toMatchObject({
      title: proposed.titles[0],
      excerpt: proposed.excerpt,
      seo_title: proposed.seo_title,
      seo_description: revised.seo_description,
      tag_ids: [tag.id],
      category_id: category.id,
    });
    expect(await axeFindings(page)).toEqual([]);
    await panel.getByText('Outline').click();
    await panel.getByText('Flour and water.').waitFor();
    await tabTo(page, 'What was asked: Plan');
    await page.keyboard.press('Enter');
    await page.getByText('Plan, attempt 1').waitFor();
    expect(page.url()).toContain(`/runs/${article.runId}#steps`);
  });

  test('an article is rejected with a reason and put back, and what was typed is saved first', async () => {
    const article = await written();
    const { page } = article;
    await article.show();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Bread, typed');
    await page.getByRole('button', { name: /^Reject: / }).press('Enter');
    await page.getByRole('textbox', { name: 'Reason, for the team' }).fill('Twice told.');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).press('Enter');
    await page.getByText('Twice told.').waitFor();
    await page.getByRole('banner').or(page.locator('header')).getByText('Rejected').first().waitFor();
    expect(await article.read()).toMatchObject({ status: 'rejected', title: 'Bread, typed' });
    await page.getByRole('button', { name: /^Put back in the queue: / }).press('Enter');
    await page.getByRole('tabpanel').getByText('Needs images').waitFor();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Bread, typed on');
    await saved(page);
    expect(await article.read()).toMatchObject({ status: 'needs_images', title: 'Bread, typed on' });
  });

  test('a duplicate leads to the article that there is, in German at 320 px, where axe finds nothing', async () => {
    const article = await written(
      { browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } } },
      'Pipeline',
    );
    const { page, key } = article;
    const { title } = await article.read();
    const { id: runId } = await startRun(stack.api, key, { topics: [{ title }] });
    const { articles } = await ended(stack.api, key, runId);
    await article.show();
    await page.getByText('Bewertung: 90 von 100').waitFor();
    await page.getByRole('button', { name: /^Als Titel übernehmen: / }).waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
    await show(article, articles[0].article_id, 'Pipeline');
    await page.getByText('Sie entstehen in der Stufe „Verbessern“.').waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
    await page.getByRole('tabpanel').getByRole('link', { name: title }).click();
    await page.waitForURL((url) => url.pathname.endsWith(article.id));
  });

  test('an article that a person wrote has no such panel, and neither has one that is published from it', async () => {
    const article = await written();
    const { page, key, id } = article;
    const own = await buildArticle(stack.api, key, { title: 'By a person', slug: 'own' });
    await article.open(`/articles/${own.id}`);
    await page.getByRole('tab', { name: 'Review', exact: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Pipeline' }).count()).toBe(0);
    await article.show();
    await stack.api.request('PATCH', `/articles/${id}`, { key, body: { slug: 'bread' } });
    await stack.api.request('POST', `/articles/${id}/publish`, { key, idempotencyKey: true });
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('tab', { name: 'Pipeline' }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Preview', selected: true }).waitFor();
  });
});
