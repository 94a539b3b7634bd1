import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../api/openapi.ts';
import { operations } from '../../api/operations.ts';
import { root } from '../../runtime/home.ts';
import { breakingChanges } from '../support/breaking-changes.ts';

type Json = Record<string, any>;

const current = openApiDocument(operations, '/v1') as Json;
/** A copy of the document with a change in it. */
const changed = (change: (document: Json) => void): Json => {
  const copy = JSON.parse(JSON.stringify(current)) as Json;
  change(copy);
  return copy;
};
const articles = (document: Json): Json => document['paths']['/articles'];
const schema = (document: Json, name: string): Json => document['components'].schemas[name];

test('nothing that the last release promised has been taken back (docs/spec/service-api.md, Versioning)', () => {
  const released = JSON.parse(readFileSync(join(root, 'docs/openapi-released.json'), 'utf8')) as Json;
  expect(breakingChanges(released, current)).toEqual([]);
});

test.each<[string, (document: Json) => void, string]>([
  ['an operation', (d) => delete articles(d)['get'], 'GET /articles: is gone'],
  ['an operationId', (d) => (articles(d)['get'].operationId = 'articles'), 'has another operationId'],
  ['a scope', (d) => (articles(d)['get'].security = [{ key: ['meta:read'] }]), 'needs another scope'],
  ['a permission', (d) => (articles(d)['get']['x-permission'] = 'team.manage'), 'needs another permission'],
  [
    'publishable keys',
    (d) => (articles(d)['get']['x-publishable-key'] = false),
    'closed to publishable keys',
  ],
  ['a parameter', (d) => articles(d)['get'].parameters.shift(), 'cursor: is gone'],
  ['an optional parameter', (d) => (articles(d)['get'].parameters[0].required = true), 'has become required'],
  [
    'a higher maximum',
    (d) => (articles(d)['get'].parameters[1].schema.maximum = 50),
    'limit: has a smaller maximum',
  ],
  [
    'an optional body',
    (d) => (articles(d)['post'].requestBody.required = true),
    'has come to require a body',
  ],
  [
    'a member of a body',
    (d) => delete schema(d, 'ArticleWrite')['properties'].excerpt,
    'body.excerpt: is gone',
  ],
  ['an optional member', (d) => (schema(d, 'ArticleWrite')['required'] = ['title']), 'has become required'],
  ['null', (d) => (schema(d, 'ArticleWrite')['properties'].title.type = 'string'), 'has the type string'],
  [
    'a length',
    (d) => (schema(d, 'ArticleWrite')['properties'].title.maxLength = 100),
    'body.title: has a smaller maxLength',
  ],
  [
    'a value of a body',
    (d) => schema(d, 'CommentSettingsUpdate')['properties'].moderation.enum.pop(),
    'has no value hold_all any more',
  ],
  ['a status', (d) => delete articles(d)['post'].responses['201'], 'POST /articles, 201: is gone'],
  [
    'a header',
    (d) => delete articles(d)['post'].responses['201'].headers.ETag,
    'has no header ETag any more',
  ],
  [
    'a member of an answer',
    (d) => delete schema(d, 'Article')['properties'].excerpt,
    '.data.excerpt: is gone',
  ],
  [
    'a member that was always there',
    (d) => schema(d, 'Article')['required'].shift(),
    '.data.id: may be absent',
  ],
  [
    'a type',
    (d) => (schema(d, 'Article')['properties'].tag_ids.items.type = 'integer'),
    'has the type integer',
  ],
  [
    'a member that was never null',
    (d) => (schema(d, 'Article')['properties'].created_at.type = ['string', 'null']),
    'has the type string or null',
  ],
  [
    'a value of an answer',
    (d) => schema(d, 'PipelineRun')['properties'].status['x-extensible-enum'].pop(),
    'has no value cancelled any more',
  ],
  [
    'the status of an error',
    (d) => {
      const { responses } = articles(d)['post'];
      responses['400'] = responses['409'];
      delete responses['409'];
    },
    'answers SLUG_CONFLICT with another status',
  ],
  ['an event', (d) => delete d['webhooks'].ping, 'ping: is gone'],
  [
    'a header of deliveries',
    (d) => d['webhooks'].ping.post.parameters.shift(),
    'is delivered without Service-Signature',
  ],
  [
    'a member of an event',
    (d) => delete schema(d, 'CommentEventData')['properties'].slug,
    'comment.created.data.slug: is gone',
  ],
])('taking away %s is refused', (_what, change, said) => {
  expect(breakingChanges(current, changed(change)).join('\n')).toContain(said);
});

test.each<[string, (document: Json) => void]>([
  ['an operation', (d) => (d['paths']['/new'] = { get: articles(d)['get'] })],
  [
    'an optional parameter',
    (d) => articles(d)['get'].parameters.push({ name: 'new', in: 'query', required: false, schema: {} }),
  ],
  [
    'an optional member of a body',
    (d) => (schema(d, 'ArticleWrite')['properties'].more = { type: 'string' }),
  ],
  [
    'a member of an answer',
    (d) => {
      schema(d, 'Article')['properties'].more = { type: 'string' };
      schema(d, 'Article')['required'].push('more');
    },
  ],
  ['a value of an answer', (d) => schema(d, 'Article')['properties'].status['x-extensible-enum'].push('new')],
  ['a longer text', (d) => (schema(d, 'ArticleWrite')['properties'].title.maxLength = 500)],
  ['an event', (d) => (d['webhooks']['article.moved'] = d['webhooks'].ping)],
  ['words', (d) => (articles(d)['get'].description = 'Other words.')],
  ['nothing', () => {}],
])('adding %s is allowed', (_what, change) => {
  expect(breakingChanges(current, changed(change))).toEqual([]);
});
