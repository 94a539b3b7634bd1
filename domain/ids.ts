import { v7 } from 'uuid';

/** A new uuid v7. Ids sort by creation, so that indexes grow at their end. */
export const newId = (): string => v7();
