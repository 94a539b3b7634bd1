import type { Scope } from '../../../domain/access/scopes.ts';

/** What a scope lets the holder of a key do, for people. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  'articles:read': 'Read articles, drafts too',
  'articles:write': 'Write, publish and delete articles',
  'taxonomy:read': 'Read categories and tags',
  'taxonomy:write': 'Change categories and tags',
  'authors:read': 'Read authors',
  'authors:write': 'Change authors',
  'media:read': 'See the media library',
  'media:write': 'Upload, change and delete media',
  'pipeline:read': 'See pipeline runs',
  'pipeline:run': 'Run the AI pipeline, which spends credits',
  'keys:read': 'See API keys',
  'keys:write': 'Create, rotate and revoke API keys',
  'webhooks:read': 'See webhooks and what they were sent',
  'webhooks:write': 'Change webhooks',
  'meta:read': 'See the Site, its usage and its audit log',
  'comments:read': 'Read comments, with readers’ e-mail addresses',
  'comments:write': 'Moderate and erase comments',
  'engagement:write': 'Submit comments for readers',
  'prompts:write': 'Change AI prompts and article formats',
};
