import { authors } from '../../domain/taxonomy/terms.ts';
import { termOperations } from './resource.ts';
import { AuthorShape, AuthorUpdate, AuthorWrite, presentAuthor } from './schema.ts';

export const authorOperations = termOperations({
  kind: authors,
  path: '/authors',
  group: 'Authors',
  named: 'Author',
  shape: AuthorShape,
  write: AuthorWrite,
  update: AuthorUpdate,
  reading: { scope: 'authors:read', permission: null, rateClass: 'read', publishable: true },
  writing: { scope: 'authors:write', permission: 'authors.manage', rateClass: 'write', publishable: false },
  idempotency: 'honoured',
  present: presentAuthor,
});
