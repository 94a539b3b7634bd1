import { parser } from '@prometheus-io/lezer-promql';
import type { Sample } from './exposition.ts';

/** What a query asks for by name. */
export interface Query {
  readonly selectors: readonly Selector[];
  /** Labels by which something is summed up or matched. */
  readonly grouping: readonly string[];
}

export interface Selector {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** @throws Error where it is no PromQL */
export function readQuery(text: string): Query {
  const selectors: Selector[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${text}`);
      const slice = (part: { from: number; to: number }): string => text.slice(part.from, part.to);
      const { node: tree } = node;
      if (node.name === 'GroupingLabels') grouping.push(...tree.getChildren('LabelName').map(slice));
      if (node.name !== 'VectorSelector') return;
      const name = tree.getChild('Identifier');
      if (name === null) throw new Error(`A selector without a name: ${text}`);
      const matchers = tree.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      selectors.push({
        name: slice(name),
        matchers: matchers.map((matcher) => {
          const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) =>
            slice(matcher.getChild(part) ?? { from: 0, to: 0 }),
          );
          return { label: label!, operator: operator!, value: JSON.parse(value!) as string };
        }),
      });
    },
  });
  if (selectors.length === 0) throw new Error(`It asks for nothing: ${text}`);
  return { selectors, grouping };
}

/** What Prometheus adds to all it scrapes, and what it makes by itself. */
const targetLabels = new Set(['job', 'instance']);
const ofPrometheus: readonly Sample[] = ['presswork-api', 'presswork-worker'].map((job) => ({
  name: 'up',
  labels: { job },
  value: 1,
}));

/** What of a query no sample answers to: an empty list where all of it does. */
export function unanswered(text: string, scraped: readonly Sample[]): string[] {
  const { selectors, grouping } = readQuery(text);
  const samples = [...scraped, ...ofPrometheus];
  const problems: string[] = [];
  const labels = new Set(targetLabels);
  for (const { name, matchers } of selectors) {
    const found = samples.filter((sample) => sample.name === name);
    if (found.length === 0) problems.push(`there is no ${name}`);
    for (const sample of found) for (const label of Object.keys(sample.labels)) labels.add(label);
    for (const { label, operator, value } of matchers) {
      if (targetLabels.has(label) && name !== 'up') continue;
      const pattern = new RegExp(`^(?:${operator.includes('~') ? value : escape(value)})$`);
      const matches = (sample: Sample): boolean => {
        const content = sample.labels[label];
        return content !== undefined && pattern.test(content) === !operator.startsWith('!');
      };
      if (!found.some(matches)) problems.push(`no ${name} has ${label}${operator}${JSON.stringify(value)}`);
    }
  }
  for (const label of grouping) if (!labels.has(label)) problems.push(`nothing has the label ${label}`);
  return problems;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
