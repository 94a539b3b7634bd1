import { once } from 'node:events';
import { endPrograms, startProgram } from '../support/program.ts';
import { buildSealedEndpoints, ENDPOINTS } from './sealed-endpoints.ts';
import type { SealedEndpoints } from './sealed-endpoints.ts';

let sealed: SealedEndpoints;

beforeEach(async () => {
  sealed = await buildSealedEndpoints();
});
afterEach(async () => {
  endPrograms();
  await sealed.database.drop();
});

test('killed in the middle, it has done a part that still opens, and the next run does the rest', async () => {
  const { ids, oldKey, newKey, old, rotated, both, reseal, stored, opened, startsWith, env } = sealed;
  const program = startProgram(['admin', 'reseal'], { env: env(newKey, oldKey) });
  await once(program.stderr, 'data');
  program.kill('SIGKILL');
  await program.ended;

  const rows = await stored();
  const done = rows.filter(({ secret }) => both.isNewest(secret)).length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(ENDPOINTS);
  expect(rows.map(({ id, secret }) => both.open(secret, id))).toEqual(ids.map((id) => `whsec_${id}`));
  expect([await startsWith(old), await startsWith(both), await startsWith(rotated)]).toEqual([
    true,
    true,
    false,
  ]);

  expect((await reseal(newKey, oldKey)).json).toEqual({
    resealed: ENDPOINTS + 1 - done,
    already: done,
    unreadable: 0,
  });
  expect(await opened()).toEqual(ids.map((id) => `whsec_${id}`));
});
