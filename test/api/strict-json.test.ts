import { useApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import { sendRaw } from './raw-http.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const create = (body: unknown, headers: Record<string, string> = {}) =>
  api.request('POST', '/articles', { key: tenant.secretKey, idempotencyKey: true, body, headers });

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('the body’s form', () => {
  const unusable: [name: string, body: string | Uint8Array][] = [
    ['an array', '[]'],
    ['an array of objects', '[{"title":"One"}]'],
    ['a string', '"title"'],
    ['a number', '1'],
    ['true', 'true'],
    ['nothing but white space', '  \n'],
    ['an object that ends too early', '{"title":"One"'],
    ['text after the object', '{"title":"One"} x'],
    ['two objects', '{}{}'],
    ['a comma too many', '{"title":"One",}'],
    ['single quotes', "{'title':'One'}"],
    ['a comment', '{/* */}'],
    ['NaN', '{"title":NaN}'],
    ['a bare control character in a string', '{"title":"a\u0001"}'],
    ['a broken escape', '{"title":"\\u12"}'],
    ['form data', 'title=One'],
    ['UTF-16', Buffer.from('{"title":"One"}', 'utf16le')],
    ['Latin-1', Buffer.from('{"title":"ä"}', 'latin1')],
    [
      'an overlong encoding',
      Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
    ],
    [
      'a surrogate as bytes',
      Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ['101 levels', `{"title":${nested(100)}}`],
    ['101 levels of objects', `${'{"a":'.repeat(100)}{}${'}'.repeat(100)}`],
    ['half a million levels', `{"title":${nested(500_000)}}`],
  ];

  test.each(unusable)('%s is 400', async (_name, body) => {
    const answer = await create(body);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(answer.json.error.fields).toBeUndefined();
  });

  test.each([
    ['{"title":NaN}', 'unexpected character "N"'],
    ['{"title":tru}', 'unexpected character "}"'],
    ['nope', 'unexpected character "o"'],
    ['{"title":😀}', 'unexpected character "\uFFFD"'],
    [`{"title":x, "at position 3`, 'unexpected character "x"'],
    ['{"title":"One",}', 'unexpected text at character 15'],
    ['{"title":"One"} x', 'unexpected text at character 16'],
    ['{"title":"a\u0001"}', 'unexpected text at character 11'],
    ['{"title":', 'unexpected end'],
  ])('what is said of %j is true', async (body, where) => {
    const answer = await create(body);
    expect([answer.status, answer.json.error.message]).toEqual([400, `The body is not JSON: ${where}.`]);
    expect(answer.text.isWellFormed()).toBe(true);
  });

  test('100 levels are parsed, and refused by their shape', async () => {
    const answer = await create(`{"title":${nested(99)}}`);
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['title']]);
  });

  test('an unknown member nested a hundred levels deep is refused by its name only', async () => {
    const answer = await create(`{"deep":${'{"a":'.repeat(98)}{}${'}'.repeat(98)}}`);
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['deep']]);
  });

  test('a message never quotes the body', async () => {
    const answer = await create('{"title": hunter2}');
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('hunter2');
  });

  test('null counts as no body if the body is optional', async () => {
    const answer = await create('null');
    expect([answer.status, answer.data.title]).toEqual([201, null]);
  });

  test('null and an empty body are 400 if a body is required', async () => {
    for (const body of ['null', undefined]) {
      const answer = await api.request('POST', '/categories', {
        key: tenant.secretKey,
        idempotencyKey: true,
        body,
      });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    }
  });

  test('an operation without a body accepts none, null and an empty object only', async () => {
    const { id } = await buildArticle(api, tenant.secretKey);
    const unpublish = (body: unknown) =>
      api.request('POST', `/articles/${id}/unpublish`, { key: tenant.secretKey, body });
    for (const body of [undefined, 'null', '{}']) expect((await unpublish(body)).status).toBe(200);
    const refused = await unpublish({ at: 'now' });
    expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['at']]);
  });

  test('a byte order mark is ignored', async () => {
    expect((await create('\uFEFF{"title":"Marked"}')).data.title).toBe('Marked');
  });
});

describe('the body’s type', () => {
  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/jsonp',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'json',
    ';',
  ])('Content-Type %j is 415', async (type) => {
    const answer = await create('{"title":"One"}', { 'content-type': type });
    expect([answer.status, answer.json.error.code]).toEqual([415, 'INVALID_REQUEST']);
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    "application/json; charset='utf-8'",
    'application/json; charset=utf8',
    'application/json; charset=UTF8',
    'application/json; charset=unicode-1-1-utf-8',
    'application/json; charset=us-ascii',
    'application/json ; charset=utf-8 ; profile=x',
  ])('Content-Type %j is JSON', async (type) => {
    expect((await create('{"title":"One"}', { 'content-type': type })).status).toBe(201);
  });

  test.each(['gzip', 'br', 'identity', 'deflate, gzip', ''])('Content-Encoding %j is 415', async (coding) => {
    const answer = await create('{"title":"One"}', { 'content-encoding': coding });
    expect([answer.status, answer.json.error.code]).toEqual([415, 'INVALID_REQUEST']);
    expect(answer.json.error.message).toContain('Content-Encoding');
  });

  const head = (...more: string[]) => [
    'POST /v1/articles HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${tenant.secretKey}`,
    `Idempotency-Key: raw ${more.join()}`,
    ...more,
  ];

  test('a body without Content-Type is 415', async () => {
    const answer = await sendRaw(api.origin, head('Content-Length: 2'), '{}');
    expect([answer.status, answer.json.error.code]).toEqual([415, 'INVALID_REQUEST']);
  });

  test('without a body no Content-Type is needed', async () => {
    for (const lines of [[], ['Content-Length: 0'], ['Content-Type: text/plain', 'Content-Length: 0']])
      expect((await sendRaw(api.origin, head(...lines))).status).toBe(201);
  });

  test('an empty chunked body is no body', async () => {
    const answer = await sendRaw(api.origin, head('Transfer-Encoding: chunked'), '0\r\n\r\n');
    expect(answer.status).toBe(201);
  });

  test('a chunked body is read like any other', async () => {
    const lines = head('Transfer-Encoding: chunked', 'Content-Type: application/json');
    const answer = await sendRaw(api.origin, lines, '7\r\n{"title\r\n9\r\n":"Bits"}\r\n0\r\n\r\n');
    expect([answer.status, answer.json.data.title]).toEqual([201, 'Bits']);
  });
});

describe('unknown and read-only members', () => {
  const refused: [name: string, body: unknown, fields: string[]][] = [
    ['an unknown member', { colour: 'red' }, ['colour']],
    ['a member in other letters', { Title: 'One' }, ['Title']],
    ['status', { status: 'draft' }, ['status']],
    ['a status of the pipeline', { status: 'queued' }, ['status']],
    [
      'read-only members',
      { id: null, created_at: null, updated_at: null },
      ['created_at', 'id', 'updated_at'],
    ],
    [
      'times that publishing sets',
      { published_at: null, scheduled_publish_at: null },
      ['published_at', 'scheduled_publish_at'],
    ],
    ['another Site', { site_id: 'x' }, ['site_id']],
    ['the empty name', { '': 1 }, ['']],
    ['__proto__', '{"__proto__":{"title":"One"}}', ['__proto__']],
    ['__proto__ that is a text', '{"__proto__":"One"}', ['__proto__']],
    ['__proto__ that is null', '{"__proto__":null}', ['__proto__']],
    ['__proto__ with U+0000 in it', '{"__proto__":"a\\u0000"}', ['__proto__']],
    ['constructor', { constructor: { prototype: {} } }, ['constructor']],
    [
      'names every object has',
      { toString: 1, hasOwnProperty: 1, valueOf: 1 },
      ['hasOwnProperty', 'toString', 'valueOf'],
    ],
    ['an unknown member of a member', { faqs: [{ question: 'Q', answer: 'A', by: 'me' }] }, ['faqs.0.by']],
    [
      '__proto__ of a member',
      '{"faqs":[{"question":"Q","answer":"A","__proto__":{}}]}',
      ['faqs.0.__proto__'],
    ],
    [
      'constructor of a member',
      { faqs: [{ question: 'Q', answer: 'A', constructor: 1 }] },
      ['faqs.0.constructor'],
    ],
    [
      'an unknown member two levels down',
      { comparison: { columns: ['A'], rows: [{ label: 'L', values: ['1'], note: '' }] } },
      ['comparison.rows.0.note'],
    ],
    [
      'a member that only its prototype has',
      '{"faqs":[{"__proto__":{"question":"Q","answer":"A"}}]}',
      ['faqs.0.__proto__', 'faqs.0.answer', 'faqs.0.question'],
    ],
  ];

  test.each(refused)('%s: 422 by its path', async (_name, body, fields) => {
    const answer = await create(body);
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.json.error.fields).sort()).toEqual(fields);
    for (const message of Object.values(answer.json.error.fields)) expect(message).toMatch(/\w/);
  });

  test('all errors are reported at once', async () => {
    const answer = await create({
      title: 1,
      slug: 'Not A Slug',
      seo_keywords: ['fine', 2],
      faqs: [{ question: 'Q' }, 'text'],
      category_id: 'x',
      colour: 'red',
      excerpt: 'a\u0000b',
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.error.fields).sort()).toEqual(
      [
        'category_id',
        'colour',
        'excerpt',
        'faqs.0.answer',
        'faqs.1',
        'seo_keywords.1',
        'slug',
        'title',
      ].sort(),
    );
  });

  test('a refused body changes nothing', async () => {
    const article = await buildArticle(api, tenant.secretKey, { title: 'One' });
    const answer = await api.request('PATCH', `/articles/${article.id}`, {
      key: tenant.secretKey,
      body: { title: 'Two', status: 'published' },
    });
    expect(answer.status).toBe(422);
    const { data } = await api.request('GET', `/articles/${article.id}`, { key: tenant.secretKey });
    expect(data).toEqual(article);
  });

  test('__proto__ pollutes nothing', async () => {
    await create('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('text that is not Unicode', () => {
  const refused: [name: string, body: string, fields: string[]][] = [
    ['U+0000', '{"title":"a\\u0000b"}', ['title']],
    ['U+0000 alone', '{"content":"\\u0000"}', ['content']],
    ['U+0000 in an array', '{"seo_keywords":["fine","a\\u0000"]}', ['seo_keywords.1']],
    ['U+0000 in a nested object', '{"faqs":[{"question":"\\u0000","answer":"A"}]}', ['faqs.0.question']],
    ['a high surrogate alone', '{"title":"\\ud83d"}', ['title']],
    ['a low surrogate alone', '{"title":"\\ude00"}', ['title']],
    ['surrogates the wrong way round', '{"title":"\\ude00\\ud83d"}', ['title']],
    ['half a pair before a letter', '{"excerpt":"\\ud83dx"}', ['excerpt']],
    [
      'half a pair in a nested object',
      '{"comparison":{"columns":[],"rows":[],"title":"\\udfff"}}',
      ['comparison.title'],
    ],
  ];

  test.each(refused)('%s is 422 on its field', async (_name, body, fields) => {
    const answer = await create(body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.error.fields)).toEqual(fields);
  });

  test.each([
    ['{"a\\u0000b":1}', 'a\uFFFDb'],
    ['{"a\\ud800":1}', 'a\uFFFD'],
    ['{"\\u0000":1}', '\uFFFD'],
    ['{"faqs":[{"question":"","answer":"","\\u0000":1}]}', 'faqs.0.\uFFFD'],
  ])('a member’s name that is not, %s, is one field, 422, and the answer can be read', async (body, name) => {
    const answer = await create(body);
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.json.error.fields)).toEqual([name]);
    expect(answer.json.error.fields[name]).toContain('a name that must not contain');
    expect(JSON.stringify(answer.json)).not.toMatch(/\\u0000|\\ud[89a-f]/);
  });

  test('surrogate pairs, control characters and all others are stored unchanged', async () => {
    const title = '😀 \u0001\u007f\u200b\ufeff\u2028 e\u0301 é \ufffe';
    expect((await create({ title })).data.title).toBe(title);
  });

  test('lengths count code points: 300 emoji are a valid title, 301 are not', async () => {
    expect((await create({ title: '😀'.repeat(300) })).status).toBe(201);
    expect((await create({ title: '😀'.repeat(301) })).status).toBe(422);
  });
});
