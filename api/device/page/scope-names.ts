import type { Scope } from '../../../domain/access/scopes.ts';

/** Scopes in plain words, for the verification page. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  'articles:read': 'Read articles, including drafts',
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
  'keys:write':
    'Create, rotate and revoke API keys, sign devices in, add, change and remove members, and change the organisation’s settings',
  'webhooks:read': 'See webhooks and their deliveries, which include articles and unmoderated comments',
  'webhooks:write': 'Change webhooks',
  'meta:read':
    'See the Site, its article formats, usage, credits and audit log, the organisation’s settings, and its members with their e-mail addresses',
  'comments:read': 'Read comments, with readers’ e-mail addresses',
  'comments:write': 'Moderate and erase comments',
  'engagement:write': 'Submit comments on behalf of readers',
  'prompts:write': 'Change AI prompts and article formats',
};
