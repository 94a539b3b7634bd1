import { linksTo } from '../../../domain/seo/pages/backlink-rules.ts';
import type { PageLink } from '../../../domain/seo/pages/facts.ts';

const link = (url: string, ...rel: string[]): PageLink => ({ url, rel, text: '' });

test('the link to each target is the one that search engines follow, however its address is written', () => {
  const links = [
    link('http://www.a.example/tea/', 'nofollow'),
    link('https://a.example/tea'),
    link('https://a.example/%63offee', 'ugc'),
  ];
  const targets = ['https://www.a.example/tea', 'https://a.example/coffee', 'https://a.example/'];
  const found = linksTo(links, targets);
  expect(targets.map((target) => found.get(target))).toEqual([links[1], links[2], null]);
});

test('each link of a page is looked at once, however many targets it should have', () => {
  let looks = 0;
  const counted = Array.from({ length: 100 }, (_, at) => ({
    ...link(''),
    get url() {
      looks += 1;
      return `https://b.example/${at}`;
    },
  }));
  const targets = Array.from({ length: 20 }, (_, at) => `https://a.example/${at}`);
  expect([...linksTo(counted, targets).values()]).toEqual(targets.map(() => null));
  expect(looks).toBe(100);
});
