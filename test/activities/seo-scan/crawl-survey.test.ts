import { survey } from '../../../activities/seo-scan/crawl-survey.ts';
import type { KnownTarget } from '../../../domain/seo/scan-kind.ts';
import { TARGETS_LIMIT } from '../../../domain/seo/targets.ts';

async function* targets(count: number): AsyncGenerator<KnownTarget> {
  for (let at = 0; at < count; at += 1) {
    const key = `https://a.example/${at}`;
    yield { key, url: key, articleId: null, memo: { linked: true, page: true }, examined: true };
  }
}

test('a crawl with as many targets as a scan may have is not whole: pages beyond them were left out', async () => {
  expect((await survey(targets(TARGETS_LIMIT - 1), undefined)).isWhole).toBe(true);
  expect((await survey(targets(TARGETS_LIMIT), undefined)).isWhole).toBe(false);
});
