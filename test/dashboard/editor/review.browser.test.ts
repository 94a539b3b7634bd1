import { axeFindings } from '../../support/axe.ts';
import { inBrowser, isTooWide, tabTo } from '../../support/browser.ts';
import { buildKey, buildMember } from '../../support/builders.ts';
import { useDashboard } from '../../support/dashboard-browser.ts';
import { Presswork } from '../../../sdk/src/index.ts';
import { openArticle, textOf } from './support.ts';

inBrowser('a review in the editor', () => {
  const dashboard = useDashboard();

  test('is asked for by keyboard, and decided by another person', async () => {
    const { visit, page, presswork, id } = await openArticle(dashboard, {
      title: 'Tea',
      content: 'Boil water.',
    });
    await page.getByRole('tab', { name: 'Review', exact: true }).click();
    await page.getByText('Nobody has been asked').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await tabTo(page, 'Ask for a review');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Is this right?');
    await page.getByLabel('By', { exact: true }).fill('2027-03-12');
    await page.getByRole('button', { name: 'Ask for a review' }).click();
    await page.getByText('Waits for a decision').waitFor();
    await page.getByText('Is this right?').waitFor();
    expect((await presswork.articles.getReview(id)).due_date).toBe('2027-03-12');
    const editor = await dashboard.visit({ tenant: visit.tenant, role: 'editor' });
    await editor.open(`/articles/${id}`);
    await editor.page.getByRole('tab', { name: 'Review', exact: true }).click();
    await editor.page.getByRole('button', { name: 'Ask for changes' }).click();
    await editor.page.getByRole('textbox', { name: 'What should change' }).fill('Name the temperature.');
    expect(await axeFindings(editor.page)).toEqual([]);
    await editor.page.getByRole('button', { name: 'Ask for changes' }).click();
    await editor.page.getByText('has asked for changes').waitFor();
    await editor.page.getByText('Name the temperature.').waitFor();
    await presswork.articles.requestReview(id);
    await editor.page.reload();
    await editor.page.getByRole('tab', { name: 'Review', exact: true }).click();
    await editor.page.getByRole('button', { name: 'Approve' }).click();
    await editor.page.getByText('has approved it').waitFor();
    expect((await presswork.articles.getReview(id)).state).toBe('approved');
    expect(await isTooWide(editor.page)).toBe(false);
  });

  test('of a pending edit shows what would change for readers', async () => {
    const { visit, page, presswork, id } = await openArticle(
      dashboard,
      { title: 'Tea', content: 'Boil water.\n\nPour it on the leaves.', excerpt: 'How to make tea.' },
      { isPublished: true },
    );
    const [drinks, green] = await Promise.all(
      ['Drinks', 'Green tea'].map((name) => presswork.tags.create({ name })),
    );
    await presswork.articles.updatePendingEdit(id, { tag_ids: [drinks?.id ?? ''] });
    await presswork.articles.publishPendingEdit(id);
    await presswork.articles.updatePendingEdit(id, {
      content: 'Boil water.\n\nWait until it has 80 °C.',
      excerpt: 'How to make green tea.',
      tag_ids: [green?.id ?? ''],
    });
    await presswork.articles.requestReview(id);
    await visit.open(`/articles/${id}`);
    await page.getByRole('tab', { name: 'Review', exact: true }).click();
    const difference = page.getByRole('region', { name: 'Compared with what is public' });
    await difference.getByText('Wait until it has 80 °C.').waitFor();
    await difference.locator('del').filter({ hasText: 'Pour it on the leaves.' }).first().waitFor();
    await difference.getByText('How to make green tea.').waitFor();
    await difference.getByText('Drinks', { exact: true }).waitFor();
    await difference.getByText('Green tea', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    // What is public now has nothing to be compared with.
    await presswork.articles.publishPendingEdit(id);
    await page.reload();
    await page.getByRole('tab', { name: 'Review', exact: true }).click();
    await page.getByText('Waits for a decision').or(page.getByText('Withdrawn')).first().waitFor();
    expect(await difference.count()).toBe(0);
  });

  test('comes with notes on parts of the text, which are answered and resolved', async () => {
    const { page, presswork, id } = await openArticle(dashboard, {
      title: 'Tea',
      content: 'Green tea. Black tea.',
    });
    await page.getByRole('tab', { name: 'Review', exact: true }).click();
    await textOf(page).click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ArrowLeft');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowLeft');
    await page.getByRole('textbox', { name: 'New note' }).fill('Which one?');
    await page.getByText(/About “.tea.”/u).waitFor();
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('button', { name: /^Resolve/ }).waitFor();
    const { items } = await presswork.articles.listNotes(id);
    expect(items).toMatchObject([{ quote: 'tea', position: { start: 17, end: 20 }, body: 'Which one?' }]);
    await page.getByRole('button', { name: /^Reply/ }).click();
    await page.getByRole('textbox', { name: /^Reply to/ }).fill('Assam.');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await page.getByText('Assam.').waitFor();
    await page.getByRole('button', { name: 'Show in the text: tea' }).click();
    await page.waitForFunction('getSelection().toString() === "tea"');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: /^Resolve/ }).click();
    await page.getByText('There are no notes.').waitFor();
    await page.getByRole('checkbox', { name: 'Show resolved notes' }).check();
    await page.getByText('Resolved by').waitFor();
    expect((await presswork.articles.listNotes(id, { resolved: true })).items).toHaveLength(1);
  });

  test('a note tells those who are chosen by keyboard, also by somebody who does not manage the team', async () => {
    const author = await dashboard.visit({ role: 'author' });
    const { tenant, page } = author;
    const mara = await buildMember(dashboard.api.db, tenant.organisationId, 'editor');
    await dashboard.api.db.pool.query(`update members set email = 'mara@example.com' where id = $1`, [mara]);
    const presswork = new Presswork({ apiKey: tenant.secretKey, baseUrl: `${dashboard.api.origin}/v1` });
    const { id } = await presswork.articles.create({ title: 'Tea', content: 'Boil.' });
    await author.open(`/articles/${id}`);
    await page.getByRole('tab', { name: 'Review', exact: true }).click();
    await page.getByRole('textbox', { name: 'New note' }).fill('How hot?');
    await page.keyboard.press('Tab');
    await page.keyboard.type('mar');
    await page.getByRole('option', { name: 'mara' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Add note');
    await page.keyboard.press('Enter');
    await page.getByText(/Told: .mara./u).waitFor();
    expect((await presswork.articles.listNotes(id)).items).toMatchObject([
      { body: 'How hot?', mentions: [{ id: mara, name: 'mara' }] },
    ]);
  });

  test('that waits for me is on the start page, and on the day that it is due in the calendar', async () => {
    const editor = await dashboard.visit({ role: 'editor' });
    const { tenant } = editor;
    const { memberId } = await memberOf(editor.email);
    const author = await buildMember(dashboard.api.db, tenant.organisationId, 'author');
    const { secret: apiKey } = await buildKey(dashboard.api.db, tenant.siteId, author);
    const presswork = new Presswork({ apiKey, baseUrl: `${dashboard.api.origin}/v1` });
    const { id } = await presswork.articles.create({ title: 'Tea in winter', content: 'Boil.' });
    await presswork.articles.requestReview(id, { reviewer_ids: [memberId], due_date: '2027-03-12' });
    await editor.open('');
    await editor.page.getByText(/waits for your review: “.Tea in winter.”, due/u).waitFor();
    // Asked of nobody in particular, so of everybody who may decide.
    const { id: open } = await presswork.articles.create({ title: 'Coffee', content: 'Grind.' });
    await presswork.articles.requestReview(open);
    await editor.open('');
    await editor.page.getByText(/waits for your review: “.Coffee.”\./u).waitFor();
    await editor.open('/calendar?on=2027-03-12');
    await editor.page.getByRole('button', { name: /Review due.*Tea in winter/s }).click();
    await editor.page.getByRole('dialog', { name: 'Tea in winter' }).waitFor();
    expect(await axeFindings(editor.page)).toEqual([]);
  });

  const memberOf = async (email: string): Promise<{ memberId: string }> => {
    const { rows } = await dashboard.api.db.pool.query<{ id: string }>(
      'select id from members where email = $1',
      [email],
    );
    return { memberId: rows[0]?.id ?? '' };
  };
});
