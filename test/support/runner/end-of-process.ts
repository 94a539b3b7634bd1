const ends: (() => Promise<void>)[] = [];

/** Ends what the test files of this process of jest share, such as a browser, after the last of them. */
export const atEndOfProcess = (end: () => Promise<void>): void => void ends.push(end);

export async function endProcess(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
}
