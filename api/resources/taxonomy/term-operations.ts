import { presentTerm } from '../../../domain/taxonomy/present.ts';
import { categories, tags } from '../../../domain/taxonomy/terms.ts';
import { termOperations } from './resource.ts';
import { CategoryShape, TagShape, TaxonomyTermUpdate, TaxonomyTermWrite } from './schema.ts';

const shared = {
  write: TaxonomyTermWrite,
  update: TaxonomyTermUpdate,
  reading: { scope: 'taxonomy:read', permission: 'taxonomy.read', rateClass: 'read', publishable: true },
  writing: { scope: 'taxonomy:write', permission: 'taxonomy.manage', rateClass: 'write' },
  present: presentTerm,
} as const;

export const categoryOperations = termOperations({
  ...shared,
  kind: categories,
  path: '/categories',
  named: 'Category',
  plural: 'Categories',
  deletion: 'The `category_id` of its articles becomes null.',
  shape: CategoryShape,
  idempotency: 'required',
});

export const tagOperations = termOperations({
  ...shared,
  kind: tags,
  path: '/tags',
  named: 'Tag',
  plural: 'Tags',
  deletion: 'It disappears from `tag_ids` of its articles.',
  shape: TagShape,
  idempotency: 'honoured',
});
