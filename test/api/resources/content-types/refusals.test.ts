import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const blueprint = { requires: ['faqs'], sections: [{ heading: 'Lead', guidance: 'Say it first.' }] };

const send = (body: unknown): Promise<Answer> =>
  api.request('POST', '/content-types', { key: tenant.secretKey, body, idempotencyKey: true });

const fieldsOf = async (body: unknown): Promise<string[]> => {
  const { status, json } = await send(body);
  expect([status, json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
  return Object.keys(json.error.fields).toSorted();
};

test.each([
  [{}, ['blueprint', 'name']],
  [{ name: '', blueprint: {} }, ['blueprint.requires', 'blueprint.sections', 'name']],
  [{ name: 'x'.repeat(201), blueprint }, ['name']],
  [{ name: 'A', blueprint: null }, ['blueprint']],
  [{ name: 'A', blueprint: [], is_active: 'yes' }, ['blueprint', 'is_active']],
  [{ name: 'A', key: 'Not A Key', blueprint }, ['key']],
  [{ name: 'A', key: 'x'.repeat(201), blueprint }, ['key']],
  [{ name: 'A', key: null, blueprint }, ['key']],
  [{ name: 'A', blueprint, source: 'site', id: 'x', constructor: 1 }, ['constructor', 'id', 'source']],
  [{ name: 'A', blueprint: { ...blueprint, extra: 1 } }, ['blueprint.extra']],
  [
    { name: 'A', blueprint: { requires: ['faqs', 'images', 7], sections: [] } },
    ['blueprint.requires.1', 'blueprint.requires.2'],
  ],
  [
    { name: 'A', blueprint: { requires: 'faqs', sections: {} } },
    ['blueprint.requires', 'blueprint.sections'],
  ],
  [
    {
      name: 'A',
      blueprint: { requires: [], sections: [{ heading: 1, guidance: 'G', min_words: 10, max_words: 9 }] },
    },
    ['blueprint.sections.0.heading', 'blueprint.sections.0.max_words'],
  ],
  [
    { name: 'A', blueprint: { requires: [], sections: [{}] } },
    ['blueprint.sections.0.guidance', 'blueprint.sections.0.heading'],
  ],
  [
    {
      name: 'A',
      blueprint: {
        requires: [],
        sections: [
          { heading: 'H', guidance: 'G' },
          { heading: '', guidance: 1, colour: 'red', min_words: 1.5, max_words: -1 },
        ],
      },
    },
    [
      'blueprint.sections.1.colour',
      'blueprint.sections.1.guidance',
      'blueprint.sections.1.heading',
      'blueprint.sections.1.max_words',
      'blueprint.sections.1.min_words',
    ],
  ],
  [
    {
      name: 'A',
      blueprint: { requires: [], sections: [{ heading: 'H', guidance: 'G', min_words: 10, max_words: 9 }] },
    },
    ['blueprint.sections.0.max_words'],
  ],
  [
    {
      name: 'A',
      blueprint: { requires: [], sections: [{ heading: 'H', guidance: 'G', min_words: null }] },
    },
    ['blueprint.sections.0.min_words'],
  ],
  [
    { name: 'A', blueprint: { requires: [], sections: [{ heading: 'H', guidance: 'x'.repeat(5_001) }] } },
    ['blueprint.sections.0.guidance'],
  ],
  [
    {
      name: 'A',
      blueprint: {
        requires: [],
        sections: Array.from({ length: 101 }, () => ({ heading: 'H', guidance: '' })),
      },
    },
    ['blueprint.sections'],
  ],
  [
    { name: 'A\u0000', blueprint: { requires: [], sections: [{ heading: 'H\u0000', guidance: '' }] } },
    ['blueprint.sections.0.heading', 'name'],
  ],
])('are refused by the path of each mistake: %j', async (body, paths) => {
  expect(await fieldsOf(body)).toEqual(paths);
  const { data } = await api.request('GET', '/content-types', { key: tenant.secretKey });
  expect(data.items.filter(({ source }: { source: string }) => source === 'site')).toEqual([]);
});

test('texts are measured in code points', async () => {
  const name = '🦊'.repeat(200);
  expect(await fieldsOf({ name: `${name}🦊`, key: 'foxes', blueprint })).toEqual(['name']);
  expect((await send({ name, key: 'fox', blueprint })).data.name).toBe(name);
});
