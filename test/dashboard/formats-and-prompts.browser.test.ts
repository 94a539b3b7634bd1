import type { Page } from 'playwright-core';
import { inBrowser, tabTo } from '../support/browser.ts';
import { useDashboard } from '../support/dashboard-browser.ts';
import type { Visit } from '../support/dashboard-browser.ts';

const path = '/formats-and-prompts';
const prompts = `${path}?show=prompts&stage=generate`;

inBrowser('formats and prompts in the dashboard', () => {
  const dashboard = useDashboard();
  let visit: Visit;
  let page: Page;
  let key: string;
  beforeEach(async () => {
    visit = await dashboard.visit();
    page = visit.page;
    key = visit.tenant.secretKey;
  });

  async function send(method: string, to: string, body?: object) {
    const answer = await dashboard.api.request(method, to, { key, body, idempotencyKey: true });
    if (answer.status >= 300) throw new Error(`${method} ${to}: ${answer.text}`);
    return answer.data;
  }

  const formatNamed = async (name: string) => {
    const { items } = await send('GET', '/content-types');
    const { id } = items.find((format: { name: string }) => format.name === name);
    return send('GET', `/content-types/${id}`);
  };
  const savePrompt = (template: string) => send('PATCH', '/pipeline/prompts/generate', { template });
  const promptInUse = async () => (await send('GET', '/pipeline/prompts')).generate;
  const row = (name: string) => page.getByRole('row', { name });
  const dialog = () => page.getByRole('dialog');
  const template = () => page.getByLabel('Template');
  const saveButton = () => page.getByRole('button', { name: 'Save as a new version' });

  test('a format is built from sections by keyboard alone', async () => {
    await visit.open(path);
    await row('How-to guide').waitFor();
    await tabTo(page, 'New format');
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Recipe');
    for (const heading of ['What you need', 'How to do it']) {
      await tabTo(page, 'Add a section');
      await page.keyboard.press('Enter');
      await dialog().getByLabel('Heading').last().and(page.locator(':focus')).waitFor();
      await page.keyboard.type(heading);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.type('One step a paragraph.');
    await page.keyboard.press('Tab');
    await page.keyboard.type('80');
    await dialog().getByRole('button', { name: 'Move section 2 up' }).focus();
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Heading').first().and(page.locator(':focus')).waitFor();
    await tabTo(page, 'Create format');
    await page.keyboard.press('Enter');
    await row('Recipe').waitFor();
    expect(await formatNamed('Recipe')).toMatchObject({
      key: 'recipe',
      blueprint: {
        requires: [],
        sections: [
          { heading: 'How to do it', guidance: 'One step a paragraph.', min_words: 80 },
          { heading: 'What you need', guidance: '' },
        ],
      },
    });
  });

  test('mistakes are shown at the section that has them, and nothing typed is lost', async () => {
    const sections = [{ heading: 'One', guidance: 'First.' }];
    const { id } = await send('POST', '/content-types', {
      name: 'Recipe',
      blueprint: { requires: [], sections },
    });
    await visit.open(`${path}?format=${id}`);
    await dialog().getByLabel('Words, at least').fill('200');
    await dialog().getByLabel('Words, at most').fill('100');
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().getByText('must be at least min_words: 200').waitFor();
    await dialog().getByLabel('Words, at most').and(page.locator('[aria-invalid=true]:focus')).waitFor();
    expect(await dialog().getByLabel('Words, at least').inputValue()).toBe('200');
    await dialog().getByLabel('Words, at most').fill('300');
    await dialog().getByText('Questions and answers').click();
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await formatNamed('Recipe')).blueprint).toEqual({
      requires: ['faqs'],
      sections: [{ ...sections[0], min_words: 200, max_words: 300 }],
    });
  });

  test('a format of the platform is read, and replaced by one of the Site with the same key', async () => {
    await visit.open(path);
    await page.getByRole('link', { name: 'How-to guide' }).click();
    await dialog().getByText('This format comes with Presswork').waitFor();
    expect(await dialog().getByRole('textbox').count()).toBe(0);
    await dialog().getByRole('button', { name: 'Make your own' }).click();
    expect(await dialog().getByLabel('Key', { exact: true }).inputValue()).toBe('how-to');
    await dialog().getByLabel('Name').fill('Our how-to');
    await dialog().getByRole('button', { name: 'Create format' }).click();
    await row('Our how-to').getByText('Your Site').waitFor();
    await row('How-to guide').waitFor({ state: 'detached' });
    expect((await formatNamed('Our how-to')).key).toBe('how-to');
  });

  test('of two people who save the same format, the second chooses', async () => {
    const blueprint = { requires: [], sections: [] };
    const { id } = await send('POST', '/content-types', { name: 'Recipe', blueprint });
    await visit.open(`${path}?format=${id}`);
    await dialog().getByLabel('Name').fill('My recipe');
    await send('PATCH', `/content-types/${id}`, { name: 'Their recipe' });
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().getByText('Somebody else saved this format meanwhile.').waitFor();
    expect((await send('GET', `/content-types/${id}`)).name).toBe('Their recipe');
    await dialog().getByRole('button', { name: 'Save yours over it' }).click();
    await row('My recipe').waitFor();
  });

  test('what was just saved stands in the form that is opened again, before it has been read again', async () => {
    const blueprint = { requires: [], sections: [] };
    const { id } = await send('POST', '/content-types', { name: 'Recipe', blueprint });
    await visit.open(`${path}?format=${id}`);
    await dialog().getByLabel('Name').fill('My recipe');
    await page.route(`**/content-types/${id}`, (route) =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await row('My recipe').getByRole('link', { name: 'My recipe' }).click();
    await dialog().getByLabel('Name').waitFor();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('My recipe');
  });

  test('another name after a lost answer is another format', async () => {
    await visit.open(`${path}?format=new`);
    await dialog().getByLabel('Name').fill('Recipe');
    await page.route('**/v1/content-types', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await dialog().getByRole('button', { name: 'Create format' }).click();
    await dialog().getByText('There is no connection').waitFor();
    await page.unroute('**/v1/content-types');
    await dialog().getByLabel('Name').fill('My recipe');
    await dialog().getByRole('button', { name: 'Create format' }).click();
    await row('My recipe').waitFor();
    await row('Recipe').first().waitFor();
  });

  test('a template that was saved or given up stands in the editor before the list is read again', async () => {
    await savePrompt('First.');
    await visit.open(prompts);
    await page.route('**/pipeline/prompts', () => undefined);
    await template().fill('Second.');
    await saveButton().click();
    await page.getByText('Version 2 is saved.').waitFor();
    expect(await template().inputValue()).toBe('Second.');
    const { default: platform } = await promptInUse();
    await page.getByRole('button', { name: 'Use Presswork’s template' }).click();
    await dialog().getByRole('button', { name: 'Use Presswork’s template' }).click();
    await page.getByText('Presswork’s template is in use.').waitFor();
    const text = page.getByRole('textbox', { name: 'Template' });
    expect(await text.inputValue()).toBe(platform.template);
  });

  test('a template is saved as a version, with a word on what it does not fill in', async () => {
    await visit.open(prompts);
    await template().fill('Write about {{title}} in {{langage}}.');
    await page.getByText('{{langage}}: nothing has this name.').waitFor();
    await page.getByText(/Presswork’s template has .*\{\{outline\}\}/).waitFor();
    await page.getByRole('button', { name: 'Insert {{locale}}' }).click();
    expect(await template().inputValue()).toContain('{{locale}}');
    await template().fill('Write about {{title}}.');
    await saveButton().click();
    await page.getByText('Version 1 is saved.').waitFor();
    await row('Version 1').getByText('In use').waitFor();
    expect((await promptInUse()).override).toMatchObject({ version: 1, template: 'Write about {{title}}.' });
  });

  test('versions are compared line by line, restored as new ones, and the platform’s is used again', async () => {
    await savePrompt('First line.\nOld line.');
    await savePrompt('First line.\nNew line.');
    await visit.open(prompts);
    await page.getByRole('button', { name: 'Compare: Version 1' }).click();
    await dialog().getByText('Removed: New line.').waitFor();
    await dialog().getByText('Added: Old line.').waitFor();
    await dialog().getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText('Restored, as version 3.').waitFor();
    await row('Version 3').getByText('In use').waitFor();
    expect(await template().inputValue()).toBe('First line.\nOld line.');

    await page.getByRole('button', { name: 'Use Presswork’s template' }).click();
    await dialog().getByRole('button', { name: 'Use Presswork’s template' }).click();
    await page.getByText('Presswork’s template is in use.').waitFor();
    expect((await promptInUse()).override).toBeNull();
    await row('Version 3').waitFor();
  });

  test('a refused template stays in its field, and so does one while somebody else saves', async () => {
    await savePrompt('First.');
    await visit.open(prompts);
    await template().fill('x'.repeat(50_001));
    await saveButton().click();
    await page.getByText('must have at most 50000 characters').waitFor();
    expect((await template().inputValue()).length).toBe(50_001);

    await template().fill('Mine.');
    await savePrompt('Theirs.');
    const asked = page.waitForEvent('dialog').then(async (question) => {
      await question.dismiss();
      return question.message();
    });
    await page.getByRole('link', { name: 'Improve' }).click();
    expect(await asked).toMatch(/lost/);
    expect(await template().inputValue()).toBe('Mine.');
    await saveButton().click();
    await page.getByText('Version 3 is saved.').waitFor();
    await row('Version 2').waitFor();
  });
});
