const SILENCE_MS = 2_000;
const REPEAT_MS = 10_000;

/** Shows a step that takes longer than a moment, and that it is still running. */
export async function showing<T>(title: string, work: Promise<T>): Promise<T> {
  const started = Date.now();
  const show = (): void => console.log(`${title} … ${Math.round((Date.now() - started) / 1000)} s`);
  let repeating: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    show();
    repeating = setInterval(show, REPEAT_MS);
  }, SILENCE_MS);
  try {
    return await work;
  } finally {
    clearTimeout(first);
    clearInterval(repeating);
  }
}
