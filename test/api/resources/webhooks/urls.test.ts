import { parseAllowedHosts } from '../../../../runtime/allowed-hosts.ts';
import { startOnSharedDatabase } from '../../../support/api.ts';
import { buildKey } from '../../../support/builders.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

let stack: WebhookStack;
let id: string;
let key: string;

beforeAll(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
  id = (await stack.endpoint('https://receiver.example/')).id;
  stack.names.set('public.example', ['93.184.216.34', '2606:2800:220:1::1']);
  stack.names.set('private.example', ['10.0.0.7']);
  stack.names.set('mixed.example', ['93.184.216.34', '127.0.0.1']);
  stack.names.set('mapped.example', ['2606:2800:220:1::1', '::ffff:93.184.216.34']);
});
afterAll(() => stack.close());
// Each test has its own key, because the table exceeds a key's rate limit.
beforeEach(async () => {
  key = (await buildKey(stack.api.db, stack.tenant.siteId, stack.tenant.memberId)).secret;
});

const create = (url: string) =>
  stack.api.request('POST', '/webhooks', { key, body: { url, events: ['article.published'] } });
const change = (url: string) => stack.api.request('PATCH', `/webhooks/${id}`, { key, body: { url } });

const refused = [
  // Scheme, form, user info, length.
  'http://public.example/',
  'ftp://public.example/',
  'wss://public.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '//public.example/',
  'public.example',
  'https://',
  'https://[::1',
  '',
  ' ',
  'https://user@public.example/',
  'https://user:password@public.example/',
  'https://:password@public.example/',
  `https://public.example/${'x'.repeat(2_000)}`,
  // Spellings that a lenient parser repairs.
  ' https://public.example/',
  'https://public.example/ ',
  'https://public.example/\n',
  'https://pub\nlic.example/',
  'https://pub\tlic.example/a',
  'https://public.example/a\rb',
  '\u0001https://public.example/',
  'https://public.example/\u0007',
  'https://public.example/\u007f',
  'https://public.example/\u0085',
  'https://public.example/a b',
  'https://public.example/?a b',
  'https://public.example/\u00a0',
  'https:/public.example/',
  'https:public.example',
  'https:///public.example/',
  'https:\\\\public.example\\a',
  'https:/\\public.example/',
  'https://public.example\\@127.0.0.1/',
  'https://public.example/a\\b',
  'https://public.example/<a>',
  'https://public.example/{a}',
  'https://@public.example/',
  'https://:@public.example/',
  // No host or port to connect to.
  'https://public.example:0/',
  'https://*.public.example/',
  'https://*/',
  'https://public..example/',
  'https://public.example../',
  'https://pub$lic.example/',
  `https://${'a'.repeat(64)}.example/`,
  // IPv4 in any base and length.
  'https://127.0.0.1/',
  'https://127.0.0.1:8443/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0X7F.1/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https:\\\\127.0.0.1\\',
  'https:127.0.0.1',
  'https://127.0.0.1\t/',
  'https://0/',
  'https://0.0.0.0/',
  'https://0.255.255.255/',
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://100.127.255.255/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://168.63.129.16/',
  'https://0xa83f8110/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.0.0.1/',
  'https://192.0.0.8/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://192.168.1.1/',
  'https://0xc0.0xa8.257/',
  'https://198.18.0.1/',
  'https://198.19.255.255/',
  'https://198.51.100.7/',
  'https://203.0.113.7/',
  'https://224.0.0.1/',
  'https://239.255.255.250/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  // IPv6, and IPv4 inside it.
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]:8443/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::FFFF:93.184.216.34]/',
  'https://[::93.184.216.34]/',
  'https://[::5db8:d822]/',
  'https://[::ffff:0:93.184.216.34]/',
  'https://[64:ff9b::93.184.216.34]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::5db8:d822]/',
  'https://[64:ff9b:1:ffff::1]/',
  'https://[2002:5db8:d822::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://[2001:2::1]/',
  'https://[2001:10::1]/',
  'https://[2001:20::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[100::1]/',
  'https://[100:0:0:1::1]/',
  'https://[5f00::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[4000::1]/',
  'https://[1fff::1]/',
  'https://[::1%25eth0]/',
  // Names.
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://localhost../',
  'https://api.localhost/',
  'https://api.localhost./',
  'https://printer.local/',
  'https://printer.local./',
  'https://metadata.google.internal/',
  'https://metadata.google.internal./',
  'https://ⓛocalhost/',
  'https://%6cocalhost/',
  // Names that resolve to private addresses, also among public ones.
  'https://private.example/',
  'https://private.example./',
  'https://mixed.example/',
  'https://mapped.example/',
];

test.each(refused)('%j is 422 on url, at creation and at change', async (url) => {
  for (const answer of [await create(url), await change(url)]) {
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.json.error.fields)).toEqual(['url']);
    expect(answer.json.error.fields.url).not.toBe('');
  }
});

test('a refusal describes a valid URL', async () => {
  expect((await change('https://public.example/a b')).json.error.fields.url).toMatch(
    /use an https URL with two slashes .*without spaces.* such as https:/,
  );
  expect((await change('https://*.public.example/')).json.error.fields.url).toMatch(/use one whole name/);
  expect((await change('https://public.example:0/')).json.error.fields.url).toMatch(/use a port from 1/);
});

test('a refused URL is not saved', async () => {
  for (const url of refused.slice(0, 10)) await create(url);
  const listed = await stack.api.request('GET', '/webhooks', { key });
  expect(listed.data.items).toHaveLength(1);
  expect(listed.data.items[0].url).toBe('https://receiver.example/');
});

test.each([
  'https://public.example/',
  'https://public.example./hooks',
  'https://public.example:8443/hooks?a=b#c',
  'https://93.184.216.34/',
  'https://1.1.1.1/',
  'https://[2606:4700:4700::1111]/',
  'https://192.0.1.1/',
  'https://172.32.0.1/',
  'https://100.128.0.1/',
  'https://not-registered-yet.example/',
  'https://localhost.example/',
  'https://mylocal/',
  'https://münchen.example/',
  'https://public.example/Straße/日本/👩‍🚀?q=ä#ß',
  'https://public.example/a%20b/~c/(d);e=f,g/[h]/@i?j=k%7Cl',
  'HTTPS://PUBLIC.EXAMPLE/',
  'https://under_score.example/',
  'https://public.example:/',
  'https://public.example:65535',
  'https://public.example?a=https://b@c/',
  `https://public.example/${'x'.repeat(2_000 - 'https://public.example/'.length)}`,
])('%j is taken', async (url) => {
  expect((await change(url)).status).toBe(200);
});

describe('WEBHOOK_ALLOWED_HOSTS', () => {
  const allow = (list: string) => {
    stack.allowedHosts.clear();
    for (const host of parseAllowedHosts(list)) stack.allowedHosts.add(host);
  };
  afterEach(() => stack.allowedHosts.clear());

  test.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/hooks'],
    ['127.0.0.1:8080', 'http://0x7f.1:8080/'],
    ['0177.1:8080', 'https://127.0.0.1:8080/'],
    ['[::1]:8080', 'http://[0:0::1]:8080/'],
    ['localhost:80', 'http://LOCALHOST/'],
    ['localhost:80', 'http://localhost./'],
    ['localhost:443', 'https://localhost/'],
    ['private.example:443, other.example:1', 'https://private.example/'],
  ])('%j exempts %j from the https and address rules', async (list, url) => {
    allow(list);
    expect((await change(url)).status).toBe(200);
  });

  test.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8081/'],
    ['127.0.0.1:8080', 'http://127.0.0.2:8080/'],
    ['127.0.0.1:8080', 'ftp://127.0.0.1:8080/'],
    ['127.0.0.1:8080', 'http://localhost:8080/'],
    ['127.0.0.1:8080', 'http://user@127.0.0.1:8080/'],
    ['127.0.0.1:8080', `http://127.0.0.1:8080/${'x'.repeat(2_000)}`],
    ['localhost:443', 'http://localhost/'],
    ['private.example:443', 'https://sub.private.example.localhost/'],
  ])('%j does not exempt %j', async (list, url) => {
    allow(list);
    const answer = await change(url);
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['url']]);
  });
});
