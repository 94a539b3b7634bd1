/** One line of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const pair = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Scrapes a process's metrics port. @throws Error for a line that is not in Prometheus' text format */
export async function scrape(port: number): Promise<readonly Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  const lines = (await answer.text()).split('\n');
  return lines.filter((text) => text !== '' && !text.startsWith('#')).map(parse);
}

function parse(text: string): Sample {
  const [, name, labels = '', value] = line.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`Not a sample: ${text}`);
  const found = [...labels.matchAll(pair)].map(([, label = '', content = '']) => [label, content]);
  return { name, labels: Object.fromEntries(found), value: value === '+Inf' ? Infinity : Number(value) };
}

/** The sum of all samples with this name and these labels; undefined if there are none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, content]) => sample.labels[label] === content),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
