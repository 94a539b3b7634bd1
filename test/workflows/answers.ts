import { ApplicationFailure } from '@temporalio/common';

/** Returns one answer after another, and repeats the last one. */
export function answers<T>(...given: readonly (() => T)[]): () => Promise<T> {
  let calls = 0;
  return async () => {
    const answer = given[Math.min(calls, given.length - 1)];
    calls += 1;
    if (answer === undefined) throw new Error('An activity needs an answer');
    return answer();
  };
}

/** Fails every attempt of a local activity, and the first of the normal activity that follows. */
export const LOCAL_TRIES_FAIL = Array.from({ length: 7 }, () => () => {
  throw ApplicationFailure.create({ message: 'The database does not answer' });
});

/** A time that is four seconds away when it is read first, however late its scenario begins. */
export function soon(): () => string {
  let time: string | undefined;
  return () => (time ??= new Date(Date.now() + 4_000).toISOString());
}
