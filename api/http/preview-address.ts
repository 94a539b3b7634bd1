/** Where the pages of previews are; the token follows. */
export const PREVIEWS = '/preview/';
