import type { z } from 'zod';
import type { Caller } from '../../../domain/access/authenticate.ts';
import {
  createTerm,
  deleteTerm,
  listTerms,
  lockTermToDelete,
  termsOf,
  updateTerm,
} from '../../../domain/taxonomy/terms.ts';
import type { Term } from '../../../domain/taxonomy/term.ts';
import type { TermKind, TermValues } from '../../../domain/taxonomy/terms.ts';
import { operation } from '../../framework/operation.ts';
import type { Access, Declared } from '../../framework/operation.ts';
import { exampleIn } from '../../framework/openapi/examples.ts';
import { created, noContent, ok, page } from '../../framework/reply.ts';
import { examineDerived } from '../../framework/schema/derived.ts';
import type { id } from '../../../packages/base/fields.ts';
import { project } from '../../framework/schema/query.ts';
import { listQuery, termPage } from './schema.ts';

const counted =
  '`article_count` counts all articles for a secret key, and published ones for a publishable key.';

interface TermResource<Row extends Term> {
  readonly kind: TermKind<Row>;
  /** The path; its last segment is also the plural in the reference. */
  readonly path: string;
  readonly named: string;
  readonly plural: string;
  /** What happens to its articles when one is deleted. */
  readonly deletion: string;
  readonly shape: z.ZodObject<{ id: typeof id }>;
  readonly write: z.ZodType<TermValues<Row> & { name: string }>;
  readonly update: z.ZodType<TermValues<Row>>;
  readonly reading: Access;
  readonly writing: Access;
  readonly idempotency: 'required' | 'honoured';
  readonly present: (row: Row, caller: Caller) => object;
}

/**
 * Declares the five operations of categories, tags or authors (docs/spec/service-api.md, Categories;
 * docs/spec/rulings.md, 5).
 */
export function termOperations<Row extends Term>(resource: TermResource<Row>): readonly Declared[] {
  const { kind, path, plural, named, shape, reading, writing, present } = resource;
  const { noun } = kind;
  const terms = termsOf(kind);
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  return [
    operation({
      id: `list${plural}`,
      method: 'GET',
      path,
      summary: `List ${path.slice(1)} by name`,
      description: `In alphabetical order. ${counted}`,
      access: reading,
      query: listQuery(shape),
      answers: { 200: termPage(shape, named) },
      async handle({ db, site, caller, query }) {
        return page(await listTerms(db, kind, site, query), (row) =>
          project(present(row, caller), query.fields),
        );
      },
    }),
    operation({
      id: `create${named}`,
      method: 'POST',
      path,
      summary: `Create ${article} ${noun}`,
      description: 'Without `slug`, it is derived from the name. A slug that is taken is 409.',
      access: { ...writing, forDrafts: true },
      body: resource.write,
      examine: examineDerived('slug'),
      idempotency: resource.idempotency,
      answers: { 201: shape },
      headers: ['ETag', 'Location'],
      errors: ['SLUG_CONFLICT'],
      async handle({ tx, site, actor, caller, body, now }) {
        const row = await createTerm({ tx, site, actor, now }, kind, body);
        return created(present(row, caller), { version: row.version, location: `${path}/${row.id}` });
      },
    }),
    operation({
      id: `get${named}`,
      method: 'GET',
      path: `${path}/:id`,
      summary: `Read ${article} ${noun}`,
      description: counted,
      access: reading,
      answers: { 200: shape },
      async handle({ db, site, caller, params }) {
        const row = await terms.get(db, site.id, params.id);
        return ok(present(row, caller), { version: row.version });
      },
    }),
    operation({
      id: `update${named}`,
      method: 'PATCH',
      path: `${path}/:id`,
      summary: `Update ${article} ${noun}`,
      description:
        'Only the members that you send change. A new slug changes the URL of its page, and the old URL is 404. With `If-Match`, a newer version is 412.',
      access: writing,
      body: resource.update,
      conditional: true,
      example: { data: { ...exampleIn(shape), ...exampleIn(resource.update) } },
      answers: { 200: shape },
      errors: ['SLUG_CONFLICT'],
      async handle({ tx, site, actor, caller, params, body, ifMatch, purging, now }) {
        const current = await terms.getForUpdate(tx, site.id, params.id);
        ifMatch(current.version);
        const row = await updateTerm({ tx, site, actor, now }, purging, kind, current, body);
        return ok(present(row, caller), { version: row.version });
      },
    }),
    operation({
      id: `delete${named}`,
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete ${article} ${noun}; its articles stay`,
      description: resource.deletion,
      access: writing,
      approval: {
        actions: [`${noun}.delete`],
        target: ({ tx, site, params }) => lockTermToDelete(tx, kind, site.id, params.id),
      },
      answers: { 204: null },
      async handle({ tx, site, actor, params, purging, now }) {
        await deleteTerm({ tx, site, actor, now }, purging, kind, params.id);
        return noContent();
      },
    }),
  ];
}
