import { readProposal, templateOf } from '../../dashboard/screens/formats-and-prompts/voice-proposal.ts';
import { placeholdersOf } from '../../domain/prompts/template.ts';

const section = (heading: string, ...points: string[]) => ({ heading, points, minWords: null });
const answer = (...sections: object[]): string => JSON.stringify({ sections });

test('no text of an article is a placeholder of the template, and five long ones fit into it', () => {
  const content = '{{{title}}} {{ voice }} {{{{notes}}}} '.repeat(30_000);
  const template = templateOf(Array.from({ length: 5 }, () => ({ title: '{{site}}', content })));
  expect(placeholdersOf(template)).toEqual([]);
  expect(template.length).toBeLessThan(50_000);
  expect(templateOf([{ title: null, content: '🍞'.repeat(40_000) }]).isWellFormed()).toBe(true);
});

test('sections are found by their headings, or by their order if a model translated them', () => {
  const voice = { audience: 'Bakers. At home.', tone: 'Calm.', do: 'One.\nTwo.', avoid: 'Jokes.' };
  const points = [['Bakers.', 'At\nhome.'], ['Calm.'], ['One.', 'Two.'], ['Jokes.']] as const;
  const named = ['AUDIENCE', 'tone ', 'Do', 'Avoid'].map((name, index) => section(name, ...points[index]!));
  expect(readProposal(answer(section('Before', 'x'), ...named.toReversed()))).toEqual(voice);
  const translated = ['Leser', 'Ton', 'Tun', 'Lassen'].map((name, index) => section(name, ...points[index]!));
  expect(readProposal(`\`\`\`json\n${answer(...translated)}\n\`\`\``)).toEqual(voice);
});

test('a proposal keeps to the limits of the voice', () => {
  const rules = Array.from({ length: 60 }, () => 'x'.repeat(400));
  const proposal = readProposal(answer(section('Tone', 'y'.repeat(5_000)), section('Do', ...rules)));
  expect(proposal?.tone).toHaveLength(2_000);
  const lines = proposal?.do.split('\n') ?? [];
  expect([lines.length, lines[0]?.length]).toEqual([50, 300]);
});

test.each(['', 'no JSON', '{}', '{"sections":[{}]}', '{"sections":[]}', answer(section('Other', 'x'))])(
  'the answer %s has no voice',
  (text) => expect(readProposal(text)).toBeNull(),
);
