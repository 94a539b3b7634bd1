import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

type Json = Record<string, any>;

const source = readFileSync(join(root, 'docs/openapi.json'), 'utf8');

const lint = async (text: string): Promise<string[]> => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'operation-singular-tag': 'error',
      'operation-tag-defined': 'error',
      'parameter-description': 'error',
      'path-params-defined': 'error',
      'component-name-unique': 'error',
      'no-required-schema-properties-undefined': 'error',
      // Ids are UUIDs: /comments/{id}/approve is never /comments/posts/{slug}.
      'no-ambiguous-paths': 'off',
    },
  });
  const problems = await lintFromString({ source: text, config });
  return problems.map(({ message }) => message).filter((message) => message !== unusedByOperations);
};

/** A path that lacks the method answers 405, so no operation refers to that answer. */
const unusedByOperations = 'Component: "MethodNotAllowed" is never used.';

test('the document passes the strict rules of Redocly', async () => {
  expect(await lint(source)).toEqual([]);
});

test.each<[string, (document: Json) => void, RegExp]>([
  ['a member that OpenAPI does not know', (d) => (d['paths']['/ping'].get.sumary = 'Ping'), /`sumary`/],
  [
    'a reference to nothing',
    (d) => (d['paths']['/ping'].get.responses['200'].headers.ETag = { $ref: '#/components/headers/Etag' }),
    /Can't resolve \$ref/,
  ],
  [
    'an example of another shape',
    (d) => (d['paths']['/ping'].get.responses['200'].content['application/json'].example = { data: 1 }),
    /Example value must conform/,
  ],
  [
    'a parameter without words',
    (d) => delete d['paths']['/articles'].get.parameters[0].description,
    /escription/,
  ],
  ['an unused schema', (d) => (d['components'].schemas.Spare = { type: 'string' }), /"Spare" is never used/],
])('%s does not pass', async (_what, change, said) => {
  const document = JSON.parse(source) as Json;
  change(document);
  expect((await lint(JSON.stringify(document))).join('\n')).toMatch(said);
});
