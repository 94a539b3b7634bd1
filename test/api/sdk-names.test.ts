import { operations } from '../../api/operations.ts';
import { sdkNameOf } from '../../api/framework/openapi/sdk-names.ts';

const names = new Map(
  operations.map(({ id, path }) => {
    const { resource, name } = sdkNameOf(id, path);
    return [id, resource === undefined ? name : `${resource}.${name}`];
  }),
);

test('a method of the SDK is named by the id of its operation, without the words of its resource', () => {
  const some = [
    'ping',
    'getSite',
    'listArticles',
    'createArticle',
    'cancelArticleSchedule',
    'redeliverWebhook',
  ];
  expect(some.map((id) => names.get(id))).toEqual([
    'ping',
    'site.get',
    'articles.list',
    'articles.create',
    'articles.cancelSchedule',
    'webhooks.redeliver',
  ]);
});

test('every operation has a name of its own', () => {
  expect(new Set(names.values()).size).toBe(operations.length);
  for (const name of names.values()) expect(name).toMatch(/^[a-z][A-Za-z]+(\.[a-z][A-Za-z]+)?$/);
});
