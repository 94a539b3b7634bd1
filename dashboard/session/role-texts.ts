import { texts } from '../text/texts.ts';
import type { Role } from './account.ts';

/** From the one with most rights. */
export const roles = ['owner', 'admin', 'editor', 'author', 'viewer'] as const satisfies readonly Role[];

export const roleTexts = texts(
  {
    owner: 'Owner',
    admin: 'Administrator',
    editor: 'Editor',
    author: 'Author',
    viewer: 'Viewer',
  } satisfies Record<Role, string>,
  { owner: 'Inhaber', admin: 'Administration', editor: 'Redaktion', author: 'Autor', viewer: 'Nur Lesen' },
);
