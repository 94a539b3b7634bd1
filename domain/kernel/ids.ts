import { v5, v7 } from 'uuid';

/** A new uuid v7. Ids sort by creation, so that indexes grow at their end. */
export const newId = (): string => v7();

const NAMESPACE = '5b0c2a0e-6f5e-4d0a-9d0e-0a1f6c1f3b52';

/** The id of a text: the same text has the same id, in every process. */
export const idOf = (text: string): string => v5(text, NAMESPACE);
