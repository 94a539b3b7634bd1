import { requireStartUrl } from '../../../domain/seo/start-url.ts';

const settings = { exempts: ({ host }: URL) => host === 'localhost:4000' };
const check = (startUrl: string, domain: string) => () => requireStartUrl(startUrl, domain, settings);

test.each([
  ['https://garden.example/a', 'garden.example'],
  ['https://www.garden.example/', 'garden.example'],
  ['https://garden.example/', 'www.garden.example'],
  ['https://bücher.example/', 'Bücher.example'],
  ['http://localhost:4000/', 'garden.example'],
])('%s is on %s, or exempt', (startUrl, domain) => {
  expect(check(startUrl, domain)).not.toThrow();
});

test.each([
  ['http://garden.example/', 'garden.example'],
  ['https://mygarden.example/', 'garden.example'],
  ['https://garden.example.org/', 'garden.example'],
  ['http://localhost:4001/', 'garden.example'],
])('%s is not where a crawl of %s may begin', (startUrl, domain) => {
  expect(check(startUrl, domain)).toThrow('start_url');
});
