import { z } from 'zod';

/** A number of tokens, as a server tells it. Those of several answers are added up, and stored as an integer of 32 bits. */
export const tokens = z.int().min(0).max(10_000_000).catch(0);
