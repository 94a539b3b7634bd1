import type { Page } from 'playwright-core';
import { axeFindings } from '../support/axe.ts';
import { inBrowser, isTooWide } from '../support/browser.ts';
import { buildArticle } from '../support/builders.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

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
