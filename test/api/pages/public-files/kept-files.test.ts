import { KeptFiles } from '../../../../api/pages/public-files/kept-files.ts';
import { letPass } from '../../../support/passing-time.ts';

const site = { id: 'site', version: '1' } as Parameters<KeptFiles['read']>[0];

test('an incomplete file is made again after a while, a complete one with the next version', async () => {
  const kept = new KeptFiles(60_000);
  let made = 0;
  const read = async (isIncomplete: boolean, version = '1') => {
    const file = await kept.read({ ...site, version }, 'feed.json', () => {
      made += 1;
      return Promise.resolve({ version, text: `${made}`, isIncomplete });
    });
    return file?.bytes.toString();
  };
  expect([await read(true), await read(true)]).toEqual(['1', '1']);
  await letPass(60_001);
  expect([await read(false), await read(false)]).toEqual(['2', '2']);
  await letPass(60_001);
  expect([await read(false), await read(false, '2')]).toEqual(['2', '3']);
});
