import { texts } from '../text/texts.ts';
import type { Role } from './account.ts';

/** From the one with most rights. */
export const roles = [
  'owner',
  'admin',
  'editor',
  'author',
  'contributor',
  'viewer',
] as const satisfies readonly Role[];

export const roleTexts = texts(
  {
    owner: 'Owner',
    admin: 'Administrator',
    editor: 'Editor',
    author: 'Author',
    contributor: 'Contributor',
    viewer: 'Viewer',
  } satisfies Record<Role, string>,
  {
    owner: 'Inhaber',
    admin: 'Administration',
    editor: 'Redaktion',
    author: 'Autor',
    contributor: 'Mitarbeit',
    viewer: 'Nur Lesen',
  },
);
