import { allows, readRobots } from '../../../adapters/pages/robots.ts';
import { measureWork } from '../../support/work.ts';

const may = (text: string, path: string, product = 'FooBot'): boolean =>
  allows(readRobots(text, product), new URL(path, 'https://a.example'));

describe('groups (RFC 9309, 2.2.1)', () => {
  const text = `
    user-agent: FooBot
    disallow: /foo
    user-agent: *
    disallow: /all
    user-agent: BarBot
    user-agent: foobot/2.1
    disallow: /bar
    user-agent: FooBotNews
    disallow: /news`;
  test.each([
    ['/foo', 'FooBot', false],
    ['/bar', 'FooBot', false],
    ['/all', 'FooBot', true],
    ['/news', 'FooBot', true],
    ['/foo', 'BarBot', true],
    ['/bar', 'BARBOT', false],
    ['/all', 'Other', false],
    ['/foo', 'Other', true],
  ])('%s for %s: %s', (path, product, allowed) => expect(may(text, path, product)).toBe(allowed));

  test('a group without rules allows everything, although there are rules for all', () =>
    expect(may('user-agent: *\ndisallow: /\n\nuser-agent: FooBot\n', '/x')).toBe(true));
  test('rules before any group are nobody’s', () => expect(may('disallow: /', '/x')).toBe(true));
  test('records that are not known do not end a group', () =>
    expect(may('user-agent: FooBot\nsitemap: https://a.example/s\ncrawl-delay: 7\ndisallow: /x', '/x')).toBe(
      false,
    ));
  test('several names may share rules', () =>
    expect(may('user-agent: A\nuser-agent: FooBot\nuser-agent: B\ndisallow: /', '/x')).toBe(false));
});

describe('rules (RFC 9309, 2.2.2)', () => {
  test.each([
    ['the longest match decides', 'allow: /p\ndisallow: /', '/page', true],
    ['the longest match decides', 'allow: /folder\ndisallow: /folder/page', '/folder/page', false],
    ['allow wins between equals', 'disallow: /page\nallow: /page', '/page', true],
    ['the order does not count', 'allow: /page\ndisallow: /page', '/page', true],
    ['a wildcard is measured as it is written', 'allow: /page\ndisallow: /*.htm', '/page.htm', false],
    ['without a match it is allowed', 'disallow: /fish', '/Fish', true],
    ['an empty rule forbids nothing', 'disallow:', '/x', true],
    ['robots.txt is always allowed', 'disallow: /', '/robots.txt', true],
    ['the query belongs to the address', 'disallow: /*?id=', '/a?id=7', false],
    ['a pattern is a beginning', 'disallow: /fish', '/fishheads/yummy.html', false],
    ['a slash is not left out', 'disallow: /fish/', '/fish', true],
    ['white space and comments do not count', 'Disallow :  /x  # why', '/x', false],
  ])('%s: %j and %s: %s', (_, rules, path, allowed) =>
    expect(may(`user-agent: *\n${rules}`, path)).toBe(allowed),
  );
});

describe('special characters (RFC 9309, 2.2.3)', () => {
  test.each([
    ['/*.php', '/index.php?a=1', true],
    ['/*.php', '/windows.PHP', false],
    ['/*.php$', '/folder/filename.php', true],
    ['/*.php$', '/filename.php?parameters', false],
    ['/*.php$', '/filename.php5', false],
    ['/fish*.php', '/fishheads/catfish.php?x', true],
    ['/fish*.php', '/Fish.PHP', false],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['/a$b', '/a$bc', true],
    ['/*', '/anything', true],
    ['*/x', '/a/b/x', true],
    ['/a**b', '/ab', true],
    ['/a*b*c$', '/abcbc', true],
    ['/a*bc*bc$', '/abc', false],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html', true],
    ['/path/foo-%24', '/path/foo-$', true],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-b.html', false],
  ])('%s matches %s: %s', (pattern, path, matching) =>
    expect(may(`user-agent: *\ndisallow: ${pattern}`, path)).toBe(!matching),
  );
});

describe('percent-encoding (RFC 9309, 2.2.2)', () => {
  test.each([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar'],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ'],
    ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/foo/bar/baz', '/foo/bar/%62%61%7A'],
  ])('%s matches %s', (pattern, path) =>
    expect(may(`user-agent: *\ndisallow: ${pattern}`, path)).toBe(false),
  );
  test('an encoded slash is no slash', () =>
    expect(may('user-agent: *\ndisallow: /a/b', '/a%2Fb')).toBe(true));
});

test('the sitemaps are those of any group, and a byte-order mark and any line end are accepted', () => {
  const text = '\uFEFFuser-agent: *\rdisallow: /x\r\nSitemap: https://a.example/one.xml\n\nsitemap:/two.xml';
  expect(readRobots(text, 'FooBot').sitemaps).toEqual(['https://a.example/one.xml', '/two.xml']);
  expect(may(text, '/x')).toBe(false);
});

test('a hostile file is little work', () => {
  const rules = Array.from({ length: 12_000 }, (_, at) => `disallow: /*${'a*'.repeat(14)}${at}`).join('\n');
  const work = measureWork();
  expect(may(`user-agent: *\n${rules}`, `/${'a'.repeat(1_900)}`)).toBe(true);
  expect(work()).toBeLessThan(3_000);
});
