import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { undeclared } from '../support/declared-answers.ts';
import type { ReceivedAnswer } from '../support/declared-answers.ts';

type Json = Record<string, any>;

const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Json;
const article: Json =
  document['paths']['/articles'].post.responses['201'].content['application/json'].example;

const always = {
  'content-type': 'application/json; charset=utf-8',
  'request-id': 'a',
  'ratelimit-limit': '120',
  'ratelimit-remaining': '119',
  'ratelimit-reset': '1780000000',
};
const ofCreation = { ...always, etag: 'W/"1"', location: 'https://example.com/v1/articles/1' };
const created = (change: Partial<ReceivedAnswer> = {}): ReceivedAnswer => ({
  method: 'POST',
  path: '/articles',
  status: 201,
  headers: new Headers(ofCreation),
  text: JSON.stringify(article),
  ...change,
});
const failed = (status: number, code: string): ReceivedAnswer =>
  created({
    status,
    headers: new Headers(always),
    text: JSON.stringify({ error: { code, message: 'It failed.' }, request_id: 'a' }),
  });
const body = (data: Json): ReceivedAnswer =>
  created({ text: JSON.stringify({ data: { ...article['data'], ...data } }) });

test('the client of the tests accepts what the document declares', () => {
  expect(undeclared(created())).toBeNull();
  expect(undeclared(body({ added: 1, status: 'new' }))).toBeNull();
  expect(undeclared(failed(409, 'SLUG_CONFLICT'))).toBeNull();
  expect(undeclared(created({ path: '/nothing', status: 404, headers: new Headers() }))).toBeNull();
});

test.each<[string, ReceivedAnswer, RegExp]>([
  ['a status', created({ status: 202 }), /does not declare this status/],
  ['no Request-Id', created({ headers: new Headers({ etag: 'W/"1"' }) }), /promises the header Request-Id/],
  [
    'another header',
    created({ headers: new Headers({ ...ofCreation, allow: 'GET' }) }),
    /does not declare the header Allow/,
  ],
  [
    'a header of another shape',
    created({ headers: new Headers({ ...ofCreation, 'ratelimit-reset': 'soon' }) }),
    /declares RateLimit-Reset differently/,
  ],
  [
    'another type',
    created({ headers: new Headers({ ...ofCreation, 'content-type': 'text/html' }) }),
    /no body of type text\/html/,
  ],
  ['a missing member', body({ title: undefined }), /required property 'title'/],
  ['a member of another shape', body({ created_at: 'today' }), /created_at must match format "date-time"/],
  ['a code', failed(409, 'COMMENTS_CLOSED'), /does not declare the code COMMENTS_CLOSED/],
  ['a code of another status', failed(400, 'SLUG_CONFLICT'), /does not declare the code SLUG_CONFLICT/],
  ['a body with 204', created({ method: 'DELETE', path: '/tags/1', status: 204 }), /declare/],
])('the client of the tests refuses %s that is not declared', (_what, answer, said) => {
  expect(undeclared(answer)).toMatch(said);
});
