import type { Presswork } from '../../../sdk/src/index.ts';

/** An article as lists have it, without its long members. */
export type Row = Awaited<ReturnType<Presswork['articles']['list']>>['items'][number];
