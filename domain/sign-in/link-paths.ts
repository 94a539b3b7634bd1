/** The path of links to set a password; the token follows. */
export const RESETS = '/reset-password/';

/** The path of links that sign in; the token follows. */
export const SIGN_IN_LINKS = '/sign-in/once/';
