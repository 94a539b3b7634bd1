import { z } from 'zod';
import { answersOf } from '../../api/framework/answers.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { exampleOf, exampleOfBody } from '../../api/framework/openapi/examples.ts';
import { operations } from '../../api/operations.ts';
import type { Operation } from '../../api/framework/operation.ts';
import { PublishedSchemas } from '../support/published-schemas.ts';

type Json = Record<string, any>;

const document = openApiDocument(operations, '/v1') as Json;
const rows = operations.map((operation) => [operation.id, operation] as const);
const itemOf = ({ method, path }: Operation): Json =>
  document['paths'][path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];

const published = new PublishedSchemas(document['components'].schemas as Json);

test.each(rows)('%s has a summary and a description', (_id, { summary, description = '' }) => {
  expect(summary.length).toBeGreaterThan(5);
  expect(description).toMatch(/^[A-Z`].{20,}\.$/s);
  expect(description.length).toBeLessThan(600);
});

test.each(rows)(
  'the examples of %s are valid for what is checked and for what is published',
  (_id, operation) => {
    const item = itemOf(operation);
    const { body } = operation;
    expect(item['requestBody'] === undefined).toBe(body === undefined);
    if (body !== undefined) {
      const { schema, example } = item['requestBody'].content['application/json'];
      expect(example).toEqual(expect.any(Object));
      const inner = body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body;
      expect(example).toEqual(exampleOfBody(operation, inner));
      // As the service reads it, all members checked.
      body.parse(example);
      expect(
        operation.examine?.(example, { webhookUrls: { allowedHosts: new Set() }, payments: null } as never) ??
          {},
      ).toEqual({});
      expect(published.mistakes(schema as Json, example)).toBeNull();
    }
    for (const [status, schema] of Object.entries(answersOf(operation))) {
      const content = item['responses'][status].content?.['application/json'];
      expect(content === undefined).toBe(schema === null);
      if (!schema) continue;
      expect(content.example).toEqual({ data: exampleOf(operation, schema) });
      // Strictly: an example has every member that an answer has, and no other (api/framework/verify-answer.ts).
      schema.parse(content.example.data);
      expect(published.mistakes(content.schema as Json, content.example)).toBeNull();
    }
  },
);

test('the examples of lists show an item', () => {
  for (const operation of operations) {
    const { data } = itemOf(operation)['responses']['200']?.content?.['application/json'].example ?? {};
    if (operation.id.startsWith('list') && data?.items !== undefined)
      expect([operation.id, data.items.length]).toEqual([operation.id, 1]);
  }
});
