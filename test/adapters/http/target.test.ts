import { parseAllowedHosts } from '../../../runtime/allowed-hosts.ts';
import { checkSavedUrl, examineSavedUrl } from '../../../adapters/http/saved-url.ts';
import { namesBy, resolver } from './clients.ts';
import { checkTarget } from '../../../adapters/http/target.ts';

const cause = (url: string, allowed = '') => {
  const check = checkTarget(url, { allowedHosts: parseAllowedHosts(allowed) });
  return check.ok ? 'ok' : check.cause;
};

test.each([
  'https://example.com/hooks',
  'https://example.com.',
  'https://example.com:8443/a?b=c#d',
  'https://EXAMPLE.com',
  'https://münchen.example/',
  'https://8.8.8.8',
  'https://[2606:4700::1111]:444/',
  'https://localhost.example.com',
  'https://mylocal/',
  'https://internal.example.com',
])('accepted: %s', (url) => expect(cause(url)).toBe('ok'));

test.each([
  'https://localhost',
  'https://LOCALHOST./x',
  'https://localhost../x',
  'https://a.localhost',
  'https://printer.local',
  'https://printer.Local.',
  'https://metadata.google.internal',
  'https://metadata.google.internal.:8443/',
  'https://internal',
  'https://loc%61lhost',
  'https://ⓛocalhost',
  'https://localhost。',
  'https://127.0.0.1',
  'https://127.0.0.1.',
  'https://127.0.0.1..',
  'https://127.1',
  'https://0x7f.1',
  'https://2130706433',
  'https://017700000001',
  'https://0x7f000001',
  'https://0',
  'https://１２７.0.0.1',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16',
  'https://0xa83f8110',
  'https://100.100.100.200',
  'https://[::]',
  'https://[::1]:8443',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:8.8.8.8]',
  'https://[64:ff9b::8.8.8.8]',
  'https://[2002:7f00:1::]',
  'https://[fd00:ec2::254]',
  'https://[4000::1]',
])('a private, local or reserved host is refused: %s', (url) => expect(cause(url)).toBe('private_address'));

test.each([
  ['http://example.com', 'scheme'],
  ['ftp://example.com', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['https://user@example.com', 'user_info'],
  ['https://:secret@example.com', 'user_info'],
  ['example.com', 'malformed'],
  ['', 'malformed'],
  ['https://', 'malformed'],
  ['https://[fe80::1%25eth0]/', 'malformed'],
  ['https://example.com:70000', 'malformed'],
  ['https://@example.com', 'user_info'],
  ['https://:@example.com/', 'user_info'],
  ['https://example.com:0', 'malformed'],
  ['https://*.example.com', 'malformed'],
  ['https://a..example.com', 'malformed'],
  ['https://example.com..', 'malformed'],
])('refused: %s (%s)', (url, expected) => expect(cause(url)).toBe(expected));

test.each([
  ['http://example.com/a.png', { plainHttp: true }, 'ok'],
  ['https://example.com/a.png', { plainHttp: true }, 'ok'],
  ['ftp://example.com/a.png', { plainHttp: true }, 'scheme'],
  ['data:image/png;base64,AAAA', { plainHttp: true }, 'scheme'],
  ['http://user@example.com', { plainHttp: true }, 'user_info'],
  ['http://127.0.0.1/a.png', { plainHttp: true }, 'private_address'],
  ['http://localhost/a.png', { plainHttp: true }, 'private_address'],
  ['https://10.0.0.1/a.png', { privateAddresses: true }, 'ok'],
  ['http://10.0.0.1/a.png', { privateAddresses: true }, 'scheme'],
  ['http://localhost:8080/a.png', { privateAddresses: true, plainHttp: true }, 'ok'],
])('where rules are loosened: %s with %j is %s', (url, options, expected) => {
  const check = checkTarget(url, options);
  expect(check.ok ? 'ok' : check.cause).toBe(expected);
});

test('a URL has at most 2,000 characters, counted as code points', () => {
  const padded = (length: number, character: string) => {
    const start = 'https://example.com/';
    return start + character.repeat(length - start.length);
  };
  expect([cause(padded(2_000, 'a')), cause(padded(2_001, 'a'))]).toEqual(['ok', 'length']);
  expect([cause(padded(2_000, '🙂')), cause(padded(2_001, '🙂'))]).toEqual(['ok', 'length']);
});

test('a refusal says what is wrong and what would be right', () => {
  const check = checkTarget('http://example.com');
  expect(check).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/does not use https; use .*https:\/\//),
  });
});

describe('allowed hosts', () => {
  const allowed =
    'Receiver.test:8080, 0x7f.1:9000 ,[0:0::1]:9001,secure.test:443,plain.test:80,localhost:7000,';

  test.each([
    'http://receiver.test:8080/x',
    'https://RECEIVER.test.:8080/x',
    'http://127.0.0.1:9000',
    'https://127.1:9000',
    'http://[::1]:9001',
    'https://secure.test',
    'http://plain.test',
    'http://localhost:7000',
  ])('exempt from the scheme and address rules: %s', (url) => expect(cause(url, allowed)).toBe('ok'));

  test.each([
    ['http://receiver.test:8081', 'scheme'],
    ['http://sub.receiver.test:8080', 'scheme'],
    ['http://secure.test', 'scheme'],
    ['https://127.0.0.1:9001', 'private_address'],
    ['https://127.0.0.2:9000', 'private_address'],
    ['https://localhost', 'private_address'],
    ['ftp://receiver.test:8080', 'scheme'],
    ['http://a:b@receiver.test:8080', 'user_info'],
    ['http://@receiver.test:8080', 'user_info'],
    [`http://receiver.test:8080/${'a'.repeat(2_000)}`, 'length'],
  ])('still refused: %s (%s)', (url, expected) => expect(cause(url, allowed)).toBe(expected));

  test.each([
    'receiver.test',
    'receiver.test:',
    ':80',
    'a:b@c:80',
    'http://a:80',
    'a:0',
    'a:65536',
    '::1:80',
    'a b:80',
    '[::1:80',
  ])('a malformed entry stops the start and is named: %s', (entry) =>
    expect(() => parseAllowedHosts(`ok.test:80,${entry}`)).toThrow(`"${entry}" is not host:port`),
  );

  test('an empty list allows no host', () => expect(parseAllowedHosts('').size).toBe(0));
});

describe('a URL to be saved', () => {
  const answer = (...addresses: string[]) => ({ names: namesBy(resolver(addresses)) });

  test('is accepted when all its addresses are public', async () => {
    expect(
      await checkSavedUrl('https://a.example', 'site-1', answer('93.184.216.34', '2606:4700::1')),
    ).toMatchObject({
      ok: true,
    });
  });

  test('is refused if a parser would have to repair it; URLs saved earlier are still requested', () => {
    for (const url of [
      ' https://example.com/',
      'https:/example.com',
      'https:\\\\example.com',
      'https://example.com/a b',
    ]) {
      expect(checkTarget(url)).toMatchObject({ ok: true });
      expect(examineSavedUrl(url)).toMatchObject({ ok: false, cause: 'malformed' });
    }
    const allowed = { allowedHosts: parseAllowedHosts('receiver.test:8080') };
    expect(examineSavedUrl('http://receiver.test:8080/a b', allowed)).toMatchObject({ ok: false });
    expect(examineSavedUrl('http://receiver.test:8080/a', allowed)).toMatchObject({ ok: true, exempt: true });
  });

  test('is refused for one private address among public ones', async () => {
    const check = await checkSavedUrl(
      'https://a.example',
      'site-1',
      answer('93.184.216.34', '::ffff:10.0.0.1', '8.8.8.8'),
    );
    expect(check).toMatchObject({ ok: false, cause: 'private_address' });
  });

  test('is accepted when its name does not resolve', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    expect(await checkSavedUrl('https://a.example', 'site-1', { names: namesBy(lookup) })).toMatchObject({
      ok: true,
    });
    expect(await checkSavedUrl('https://a.example', 'site-1', answer())).toMatchObject({ ok: true });
  });

  test('is accepted when its name does not resolve in time', async () => {
    const lookup = () => new Promise<never>(() => {});
    expect(
      await checkSavedUrl('https://a.example', 'site-1', { names: namesBy(lookup), timeoutMs: 30 }),
    ).toMatchObject({ ok: true });
  });

  test('is not looked up when it is refused anyway, names an address, or is allowed', async () => {
    let lookups = 0;
    const ports = {
      allowedHosts: parseAllowedHosts('hook.test:80'),
      names: namesBy(async () => {
        lookups++;
        return [{ address: '127.0.0.1', family: 4 }];
      }),
    };
    expect(await checkSavedUrl('http://a.example', 'site-1', ports)).toMatchObject({
      ok: false,
      cause: 'scheme',
    });
    expect(await checkSavedUrl('https://8.8.8.8', 'site-1', ports)).toMatchObject({ ok: true });
    expect(await checkSavedUrl('http://hook.test', 'site-1', ports)).toMatchObject({ ok: true });
    expect(lookups).toBe(0);
  });
});
