import type { z } from 'zod';
import type { Caller } from '../../domain/access/authenticate.ts';
import {
  createTerm,
  deleteTerm,
  getTerm,
  getTermForChange,
  listTerms,
  updateTerm,
} from '../../domain/taxonomy/terms.ts';
import type { Term, TermKind, TermValues } from '../../domain/taxonomy/terms.ts';
import { operation } from '../operation.ts';
import type { Access, Operation } from '../operation.ts';
import { created, noContent, ok, page } from '../reply.ts';
import { project } from '../schema/query.ts';
import { listQuery, termPage } from './schema.ts';

interface TermResource<Row extends Term> {
  readonly kind: TermKind<Row>;
  /** The path, and how the reference calls it. */
  readonly path: string;
  readonly group: string;
  readonly named: string;
  readonly shape: z.ZodObject;
  readonly write: z.ZodType<TermValues<Row> & { name: string }>;
  readonly update: z.ZodType<TermValues<Row>>;
  readonly reading: Access;
  readonly writing: Access;
  readonly idempotency: 'required' | 'honoured';
  readonly present: (row: Row, caller: Caller) => object;
}

/** The five operations of a thing that articles are ordered by (specification, Categories; decisions 5). */
export function termOperations<Row extends Term>(resource: TermResource<Row>): readonly Operation[] {
  const { kind, path, group, named, shape, reading, writing, present } = resource;
  const noun = kind.noun;
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  return [
    operation({
      method: 'GET',
      path,
      summary: `List ${path.slice(1)} by name`,
      group,
      access: reading,
      query: listQuery(shape),
      answers: { 200: termPage(shape, named) },
      errors: [],
      async handle({ db, site, caller, query }) {
        return page(await listTerms(db, kind, site, query), (row) =>
          project(present(row, caller), query.fields),
        );
      },
    }),
    operation({
      method: 'POST',
      path,
      summary: `Create ${article} ${noun}`,
      group,
      access: writing,
      body: resource.write,
      idempotency: resource.idempotency,
      answers: { 201: shape },
      errors: ['SLUG_CONFLICT'],
      async handle({ tx, site, caller, body, now }) {
        const row = await createTerm(tx, kind, site.id, body, now);
        return created(present(row, caller), { version: row.version, location: `${path}/${row.id}` });
      },
    }),
    operation({
      method: 'GET',
      path: `${path}/:id`,
      summary: `Read ${article} ${noun}`,
      group,
      access: reading,
      answers: { 200: shape },
      errors: [],
      async handle({ db, site, caller, params }) {
        const row = await getTerm(db, kind, site.id, params['id'] as string);
        return ok(present(row, caller), { version: row.version });
      },
    }),
    operation({
      method: 'PATCH',
      path: `${path}/:id`,
      summary: `Change ${article} ${noun}`,
      group,
      access: writing,
      body: resource.update,
      conditional: true,
      answers: { 200: shape },
      errors: ['SLUG_CONFLICT'],
      async handle({ tx, site, caller, params, body, ifMatch, now }) {
        const current = await getTermForChange(tx, kind, site.id, params['id'] as string);
        ifMatch(current.version);
        const row = await updateTerm(tx, kind, current, body, now);
        return ok(present(row, caller), { version: row.version });
      },
    }),
    operation({
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete ${article} ${noun}; its articles stay`,
      group,
      access: writing,
      answers: { 204: null },
      errors: [],
      async handle({ tx, site, params, now }) {
        await deleteTerm(tx, kind, site.id, params['id'] as string, now);
        return noContent();
      },
    }),
  ];
}
