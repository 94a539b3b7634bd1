import { programOf, runtimes } from '../../tools/dev/runtimes.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { installPackedSdk, run, writeScenario } from '../support/sdk/packed.ts';
import type { PackedSdk } from '../support/sdk/packed.ts';
import { expected } from '../support/sdk/scenario.mjs';

let api: TestApi;
let sdk: PackedSdk;

beforeAll(async () => {
  api = await startApi();
  sdk = await installPackedSdk();
});
afterAll(async () => {
  sdk.remove();
  await api.close();
});

test.each(runtimes.map((runtime) => [runtime.name, runtime] as const))(
  'the installed package runs on %s',
  async (_, runtime) => {
    const { secretKey } = await buildTenant(api.db);
    const program = await writeScenario(sdk, `${api.origin}/v1`, secretKey);
    const printed = await run(programOf(runtime), [...runtime.args, program], sdk.folder);
    expect(JSON.parse(printed)).toEqual(expected);
  },
);
