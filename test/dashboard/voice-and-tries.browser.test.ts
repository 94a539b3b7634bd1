import type { Page } from 'playwright-core';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { createStageTrier } from '../../adapters/writer/try-stage.ts';
import { says, startModelServer } from '../adapters/writer/model-server.ts';
import type { ModelServer } from '../adapters/writer/model-server.ts';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../support/browser.ts';
import { buildArticle } from '../support/builders.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';
import { noSources } from '../support/pipeline.ts';

const voice = '/formats-and-prompts?show=voice';
const prompts = '/formats-and-prompts?show=prompts&stage=classify';

inBrowser('the voice of the blog, and tries of prompts', () => {
  const dashboard = useDashboard();
  let visit: Visit;
  let page: Page;
  let key: string;
  beforeEach(async () => {
    visit = await dashboard.visit();
    page = visit.page;
    key = visit.tenant.secretKey;
  });

  const stored = async () => (await dashboard.api.request('GET', '/pipeline/voice', { key })).data;
  const save = () => page.getByRole('button', { name: 'Save the voice' });
  const dialog = () => page.getByRole('dialog');

  test('the voice is written, a rule a line, with sample articles that are found by what they say', async () => {
    const { id } = await buildArticle(dashboard.api, key, { title: 'Sourdough at night' });
    await visit.open('/formats-and-prompts');
    await page.getByRole('link', { name: 'Voice' }).click();
    await page.getByLabel('Readers').fill('Home bakers');
    await page.getByLabel('What texts do').fill('Use grams.\n\nSay why.\n');
    await page.getByLabel('Words').fill('starter = levain, natural yeast\ncrumb');
    await page.getByRole('combobox', { name: 'Sample articles' }).fill('sourdough');
    await page.getByRole('option', { name: 'Sourdough at night' }).click();
    await page.keyboard.press('Escape');
    expect(await axeFindings(page)).toEqual([]);
    await save().click();
    await page.getByText('The voice is saved.').waitFor();
    expect(await stored()).toMatchObject({
      audience: 'Home bakers',
      tone: null,
      do: ['Use grams.', 'Say why.'],
      avoid: [],
      vocabulary: [
        { use: 'starter', instead_of: ['levain', 'natural yeast'] },
        { use: 'crumb', instead_of: [] },
      ],
      sample_article_ids: [id],
    });
    await page.reload();
    await page.getByText('Sourdough at night').first().waitFor();
    expect(await page.getByLabel('Words').inputValue()).toBe('starter = levain, natural yeast\ncrumb');
  });

  test('what somebody else saved meanwhile is not overwritten, and a refused rule is said at its field', async () => {
    await visit.open(voice);
    await page.getByLabel('Tone').fill('Calm');
    await dashboard.api.request('PATCH', '/pipeline/voice', { key, body: { audience: 'Everybody' } });
    await save().click();
    await page.getByRole('alert').getByText('Somebody else saved the voice meanwhile.').waitFor();
    await page.getByLabel('What texts avoid').fill('x'.repeat(301));
    await save().click();
    await page.getByText('must have at most 300 characters').waitFor();
    await page.getByLabel('What texts avoid').fill('Jokes.');
    await save().click();
    await page.getByText('The voice is saved.').waitFor();
    expect(await stored()).toMatchObject({ audience: 'Everybody', tone: 'Calm', avoid: ['Jokes.'] });
  });

  test('a template is tried before it is saved: the prompt is free, an answer costs the stage', async () => {
    await visit.open(prompts);
    await page.getByLabel('Template').fill('Judge {{title}}. {{notes}}');
    await page.getByRole('button', { name: 'Try it' }).click();
    await dialog().getByRole('textbox', { name: 'Topic' }).fill('How to bake bread');
    await dialog().getByLabel('Notes').fill('Rye only.');
    await dialog().getByRole('button', { name: 'Show the prompt' }).click();
    await dialog().getByText('Judge How to bake bread. Rye only.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Ask the AI, for 1 credit' }).click();
    await dialog().getByText('The answer can be used. Credits spent: 1.').waitFor();
    await dialog().getByRole('region', { name: 'Answer' }).getByText('score').waitFor();
    expect((await dashboard.api.request('GET', '/usage', { key })).data.credits.balance).toBe(999);
  });

  test('axe finds nothing in the voice, in German and at 320 px', async () => {
    const german = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    await german.open(voice);
    await german.page.getByLabel('Leserschaft').waitFor();
    expect([await axeFindings(german.page), await isTooWide(german.page)]).toEqual([[], false]);
  });
});

inBrowser('the voice from articles', () => {
  let model: ModelServer;
  const http = createGuardedClient();
  const jobProcesses = createJobProcesses();
  const dashboard = useDashboard({
    // The server has its address when it is asked.
    tryStage: (what) =>
      createStageTrier({
        writer: createModelWriter({ baseUrl: model.url, apiKey: 'key', model: 'model', http, jobProcesses }),
        sources: noSources,
        jobProcesses,
      })(what),
  });
  beforeAll(async () => {
    model = await startModelServer();
  });
  beforeEach(() => {
    model.asked.length = 0;
  });
  afterAll(async () => {
    await model.close();
    jobProcesses.close();
    await http.close();
  });

  const section = (heading: string, ...points: string[]) => ({ heading, points, minWords: null });
  const answers = (...sections: object[]): void => {
    model.reactions = [says(JSON.stringify({ sections }))];
  };

  async function withArticle(visit: Visit): Promise<string> {
    const { api } = dashboard;
    const key = visit.tenant.secretKey;
    const content = 'You need {{{title}}} and {{voice}} patience.';
    const { id } = await buildArticle(api, key, { title: 'Sourdough at night', slug: 'night', content });
    await api.request('POST', `/articles/${id}/publish`, { key, idempotencyKey: true });
    await buildArticle(api, key, { title: 'Sourdough that is a draft' });
    return id;
  }

  async function choose(page: Page, button: string | RegExp, articles: string): Promise<void> {
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('combobox', { name: articles }).fill('sourdough');
    await page.getByRole('option', { name: 'Sourdough at night' }).click();
    expect(await page.getByRole('option', { name: 'draft' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  }

  test('what articles sound like is asked for 2 credits, compared, taken over and saved', async () => {
    const visit = await dashboard.visit();
    const { page, tenant } = visit;
    const key = tenant.secretKey;
    const id = await withArticle(visit);
    await dashboard.api.request('PATCH', '/pipeline/voice', { key, body: { tone: 'Stiff' } });
    answers(
      section('Audience', 'Home bakers.'),
      section('Tone', 'Calm and', 'close.'),
      section('Do', 'Say “you”.', 'Give times.'),
      section('Avoid', 'Jokes.'),
    );
    await visit.open(voice);
    await page.getByText('What stages are told of the saved voice').click();
    await page.getByText('Tone: Stiff').waitFor();
    await choose(page, 'Make it from my articles', 'Published articles');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Ask the AI, for 2 credits' }).press('Enter');
    await dialog.getByText('Credits spent: 2.').waitFor();
    const asked = model.asked[0]?.body.messages.at(-1)?.content ?? '';
    expect(asked).toContain('You need { { {title}}} and { {voice}} patience.');
    const tone = dialog.getByRole('region', { name: 'Tone' });
    expect(await tone.innerText()).toMatch(/Removed:\s+Stiff\s+Added:\s+Calm and close\./);
    expect(await axeFindings(page)).toEqual([]);
    await tone.getByRole('button', { name: 'Take over: Tone' }).press('Enter');
    await tone.getByText('The two are the same.').waitFor();
    await tone.getByRole('button').and(page.locator(':focus')).waitFor();
    await dialog.getByRole('button', { name: 'Take over everything' }).press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save the voice' }).click();
    await page.getByText('The voice is saved.').waitFor();
    expect((await dashboard.api.request('GET', '/pipeline/voice', { key })).data).toMatchObject({
      audience: 'Home bakers.',
      tone: 'Calm and close.',
      do: ['Say “you”.', 'Give times.'],
      avoid: ['Jokes.'],
      sample_article_ids: [id],
    });
    await page.getByText('Tone: Calm and close.').waitFor();
    expect((await dashboard.api.request('GET', '/usage', { key })).data.credits.balance).toBe(998);
  });

  test('an answer without a voice changes nothing; in German, at 320 px, axe finds nothing', async () => {
    const visit = await dashboard.visit({
      browser: { locale: 'de-DE', viewport: { width: 320, height: 800 } },
    });
    const { page } = visit;
    await withArticle(visit);
    answers(section('Something else', 'Nothing.'));
    await visit.open(voice);
    await choose(page, 'Aus meinen Artikeln bilden', 'Veröffentlichte Artikel');
    const ask = page.getByRole('button', { name: 'Die KI fragen, für 2 Credits' });
    await ask.click();
    await page.getByText('Die Antwort sagt nichts über eine Stimme.').waitFor();
    const [audience, tone, rules] = [section('Leser', 'Alle.'), section('Ton', 'Ruhig.'), section('Tun')];
    answers(audience, tone, rules, section('Lassen', 'Witze.'));
    await ask.click();
    await page.getByRole('region', { name: 'Was Texte vermeiden' }).getByText('Witze.').waitFor();
    expect([await axeFindings(page), await isTooWide(page)]).toEqual([[], false]);
    expect(await page.getByRole('region', { name: 'Was Texte tun' }).count()).toBe(0);
  });
});
