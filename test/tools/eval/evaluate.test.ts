import { evaluate } from '../../../tools/eval/evaluate.ts';
import { createReport, formatReport } from '../../../tools/eval/report.ts';
import { plant, startScriptedModel } from '../../../tools/eval/scripted-model.ts';
import { topicsOf } from '../../../tools/eval/topics.ts';
import { sharedDatabase } from '../../support/database.ts';

const head = { model: 'scripted', provider: 'openai', date: '2026-11-29', prices: { input: 1, output: 2 } };

async function reportOn(planted: ReturnType<typeof plant>, topics = [...topicsOf('en'), ...topicsOf('de')]) {
  const { db } = await sharedDatabase();
  const server = await startScriptedModel(topics, planted);
  const model = { baseUrl: server.url, apiKey: 'none', model: 'scripted' };
  try {
    return createReport(head, await evaluate(db, model, topics, 'improve'));
  } finally {
    await server.close();
  }
}

test('a model without mistakes has no finding, in any language', async () => {
  const topics = (['en', 'de', 'fr', 'es'] as const).flatMap((language) => topicsOf(language).slice(5));
  const report = await reportOn(new Map(), topics);
  expect(report.findings).toEqual([]);
  expect(report.tables.find(({ title }) => title === 'Topics')?.rows.at(-1)).toEqual({
    Language: 'all',
    Topics: 20,
    'Duplicates found': '100 %',
    'Skipped rightly': '100 %',
    'Facts supported': '100 %',
    'Claims with evidence': '100 %',
  });
});

test('each planted mistake is found, where it was planted and nowhere else', async () => {
  const topics = [...topicsOf('en'), ...topicsOf('de')];
  const planted = plant(topics);
  const expected = {
    'broken once': ['broken schema'],
    'broken for good': ['broken schema', 'stage failed'],
    'invents a citation': ['invented citation', 'unsupported sentence'],
    'cites what is not there': ['citation does not hold', 'unsupported sentence'],
    'invents evidence': ['evidence not in the source'],
    'links to a draft': ['link to nothing'],
    'links outside': ['link outside'],
    'is too short': ['too short'],
    'refuses a topic': ['wrongly skipped'],
    'obeys a source': ['obeyed a source'],
    'takes one side': ['took one side'],
    'misses a duplicate': ['missed duplicate'],
  };
  const report = await reportOn(planted, topics);
  const found = report.results
    .filter(({ findings }) => findings.length > 0)
    .map(({ language, name, findings }) => {
      const { title = '' } = topics.find((topic) => topic.language === language && topic.name === name) ?? {};
      return [planted.get(title), [...new Set(findings.map(({ kind }) => kind))].toSorted()];
    });
  expect(Object.fromEntries(found)).toEqual(expected);

  const [stages, , answered] = report.tables;
  expect(stages?.rows.find(({ Stage }) => Stage === 'plan')).toMatchObject({
    Failed: 1,
    'Schema kept': '88 %',
  });
  expect(answered?.rows.at(-1)).toMatchObject({ 'Links outside': 1, 'Words asked': 780 });
  const document = formatReport(report);
  for (const kind of new Set(Object.values(expected).flat())) expect(document).toContain(`| ${kind} | `);
});
