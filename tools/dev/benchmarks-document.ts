import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** What `npm run bench -- --json` writes. */
export interface Benchmarks {
  readonly version: string;
  /** The day. */
  readonly measured: string;
  readonly processors: number;
  readonly runs: readonly { readonly name: string; readonly text: string; readonly figures: unknown }[];
}

const headings: Readonly<Record<string, string>> = {
  requests: 'Requests, beside what the hardware and a single prepared read allow in the same run',
  'on-the-hour': 'Articles that are due at one second',
  webhooks: 'From the publication to the receiver',
};

/** docs/benchmarks.md, from what `npm run bench -- --json docs/benchmarks.json` wrote. */
export function benchmarksDocument(): string {
  const { version, measured, processors, runs } = JSON.parse(
    readFileSync(join(root, 'docs/benchmarks.json'), 'utf8'),
  ) as Benchmarks;
  const sections = runs.map(
    ({ name, text }) => `## ${headings[name] ?? name}\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`,
  );
  return `# Benchmarks

Presswork ${version}, measured on ${measured} with ${processors} processors, which servers and load shared, by \`npm run bench -- --json docs/benchmarks.json\`.
\`npm run generate\` wrote this page; do not edit it.
Compare the ratios: absolute figures change with the machine.

${sections.join('\n')}`;
}
