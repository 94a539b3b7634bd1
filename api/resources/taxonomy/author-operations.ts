import { presentAuthor } from '../../../domain/taxonomy/present.ts';
import { authors } from '../../../domain/taxonomy/terms.ts';
import { termOperations } from './resource.ts';
import { AuthorShape, AuthorUpdate, AuthorWrite } from './schema.ts';

export const authorOperations = termOperations({
  kind: authors,
  path: '/authors',
  named: 'Author',
  plural: 'Authors',
  deletion: 'The `author_id` of its articles becomes null.',
  shape: AuthorShape,
  write: AuthorWrite,
  update: AuthorUpdate,
  reading: { scope: 'authors:read', permission: null, rateClass: 'read', publishable: true },
  writing: { scope: 'authors:write', permission: 'authors.manage', rateClass: 'write' },
  idempotency: 'honoured',
  present: presentAuthor,
});
