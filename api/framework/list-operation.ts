import type { z } from 'zod';
import type { Page } from '../../domain/kernel/page.ts';
import { operation } from './operation.ts';
import type { Declared, OperationDeclaration, ReadContext } from './operation.ts';
import { page } from './reply.ts';

type Schema = z.ZodType;

export interface ListDeclaration<Q extends Schema, Path extends string, Row> extends Pick<
  OperationDeclaration<'GET', Q, z.ZodUndefined, Path>,
  'id' | 'path' | 'summary' | 'description' | 'access' | 'errors'
> {
  readonly query: Q;
  /** The shape of a page. */
  readonly answer: Schema;
  readonly read: (context: ListContext<Q, Path>) => Promise<Page<Row>>;
  readonly present: (row: Row, context: ListContext<Q, Path>) => unknown;
}

type ListContext<Q extends Schema, Path extends string> = ReadContext<z.output<Q>, undefined, Path>;

/** Declares an operation that answers a page of a list. */
export const listOperation = <Q extends Schema, const Path extends string, Row>({
  answer,
  read,
  present,
  ...declaration
}: ListDeclaration<Q, Path, Row>): Declared =>
  operation<'GET', Path, Q>({
    ...declaration,
    method: 'GET',
    answers: { 200: answer },
    handle: async (context) => page(await read(context), (row) => present(row, context)),
  });
