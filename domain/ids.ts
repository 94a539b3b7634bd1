import { v7 } from 'uuid';

/** A new uuid v7: in order of creation, so that indexes grow at their end. */
export const newId = (): string => v7();
