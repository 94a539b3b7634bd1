/** The addresses of the pages. */

export const HOME = '/docs';

/** The page of a group, or an operation on it. */
export const groupAddress = (group: string, id?: string): string =>
  `${HOME}/api/${group.toLowerCase().replaceAll(' ', '-')}${id === undefined ? '' : `#${id}`}`;

/** A page of the guide, or a section of it. */
export const guideAddress = (name: string, section?: string): string =>
  `${HOME}/guide/${name}${section === undefined || section === '' ? '' : `#${section}`}`;
