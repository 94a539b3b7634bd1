/** Collects console output during each test instead of showing it. */
export function captureConsole(): { readonly lines: string[] } {
  const lines: string[] = [];
  const { log } = console;
  beforeEach(() => {
    lines.length = 0;
    console.log = (line: string) => lines.push(line);
  });
  afterEach(() => {
    console.log = log;
  });
  return { lines };
}
