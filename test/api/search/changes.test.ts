import { buildArticle, buildTenant } from '../../support/builders.ts';
import { useApi } from '../../support/api.ts';
import { buildFillers, foundTitles, indexAll } from '../../support/search.ts';

const api = await useApi({}, { ownDatabase: 'the articles of all Sites are indexed' });

const titles = (q: string, rest: string, key: string): Promise<string[]> => foundTitles(api, key, q, rest);
describe('changes', () => {
  test('are found at once, whether they are indexed or not', async () => {
    const { secretKey: key, siteId } = await buildTenant(api.db);
    const { id } = await buildArticle(api, key, { title: 'Quince jelly', content: 'Slowly' });
    expect(await titles('quince', '', key)).toEqual(['Quince jelly']);
    await buildFillers(api, siteId);
    await indexAll(api);
    expect(await titles('quince', '', key)).toEqual(['Quince jelly']);
    await api.request('PATCH', `/articles/${id}`, { key, body: { title: 'Medlar jelly' } });
    expect(await titles('quince', '', key)).toEqual([]);
    expect(await titles('medlar jelly', '', key)).toEqual(['Medlar jelly']);
    await indexAll(api);
    expect(await titles('quince', '', key)).toEqual([]);
    expect(await titles('medlar jelly', '', key)).toEqual(['Medlar jelly']);
    await api.request('PATCH', `/articles/${id}`, { key, body: { excerpt: 'A pomaceous fruit' } });
    await api.request('POST', `/articles/${id}/publish`, { key });
    expect(await titles('pomaceous', '&status=published', key)).toEqual(['Medlar jelly']);
    await api.request('DELETE', `/articles/${id}`, { key });
    expect(await titles('medlar', '', key)).toEqual([]);
    expect((await api.db.pool.query('select from article_search where article_id = $1', [id])).rowCount).toBe(
      0,
    );
  });

  test('of articles that no request writes are found as well, such as the pipeline’s', async () => {
    const { secretKey: key, siteId } = await buildTenant(api.db);
    await buildFillers(api, siteId, 1, 'Written elsewhere');
    expect(await titles('elsewhere', '', key)).toEqual(['Filler']);
    await api.db.pool.query(`update articles set content = 'Rewritten' where site_id = $1`, [siteId]);
    expect(await titles('elsewhere', '', key)).toEqual([]);
    expect(await titles('rewritten', '', key)).toEqual(['Filler']);
  });

  test('an article with more different words than an index takes is found by all of them', async () => {
    const { secretKey: key, siteId } = await buildTenant(api.db);
    const words = Array.from({ length: 120_000 }, (_, number) => `${number.toString(36)}x`);
    await buildArticle(api, key, { title: 'Many words', content: words.join(' ') });
    await buildArticle(api, key, { title: 'Many bold words', content: `${words.join(' ')} **bold**ness` });
    await buildFillers(api, siteId);
    const both = ['Many bold words', 'Many words'];
    for (const _ of [1, 2]) {
      expect(await titles('"77x 78x 79x"', '', key)).toEqual(both);
      expect(await titles(words.at(-1) as string, '', key)).toEqual(both);
      expect(await titles(`${words.at(-1)} boldness`, '', key)).toEqual(['Many bold words']);
      expect(await titles('filler many', '', key)).toEqual([]);
      await indexAll(api);
    }
  });

  test('what the worker has not read yet is found by the words of its Markdown, and by those of its readers once it has', async () => {
    const { secretKey: key, siteId } = await buildTenant(api.db);
    await buildFillers(api, siteId, 3, 'Its **bold**ness of [old](https://linked.example/target)');
    expect(await titles('bold', '', key)).toHaveLength(3);
    expect(await titles('target', '', key)).toHaveLength(3);
    await indexAll(api);
    expect(await titles('boldness', '', key)).toHaveLength(3);
    expect(await titles('target', '', key)).toEqual([]);
    await api.db.pool.query(`update articles set content = 'Their cold~~ne~~ss' where site_id = $1`, [
      siteId,
    ]);
    expect(await titles('boldness', '', key)).toEqual([]);
    await indexAll(api);
    expect(await titles('coldness', '', key)).toHaveLength(3);
  });

  test('a change that leaves the text alone leaves its words alone', async () => {
    const { secretKey: key } = await buildTenant(api.db);
    const { id } = await buildArticle(api, key, { title: 'A', content: 'Its **bold**ness' });
    const row = async () =>
      (await api.db.pool.query('select *, xmin from article_search where article_id = $1', [id])).rows[0];
    const before = await row();
    await api.request('PATCH', `/articles/${id}`, { key, body: { seo_title: 'Another' } });
    expect(await row()).toEqual(before);
    await api.request('PATCH', `/articles/${id}`, { key, body: { title: 'B' } });
    expect(await row()).toMatchObject({ words: ' b its boldness ', refined: true });
  });
});
