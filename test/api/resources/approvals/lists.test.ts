import {
  chosenGates,
  defaultGates,
  gatedOperations,
  isChosenGate,
} from '../../../../domain/approvals/gated-operations.ts';
import { useApi } from '../../../support/api.ts';
import { buildAgent, gatedExample, sendAs } from '../../../support/approvals.ts';
import type { GatedExample } from '../../../support/approvals.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;
let agent: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildAgent(api, tenant)).secret;
});

const example = (action: string): Promise<GatedExample> => gatedExample(api, tenant, action);

/** The organisation chooses a list. */
const choose = async (approval_operations: readonly string[] | null): Promise<void> => {
  const options = { key: tenant.secretKey, body: { approval_operations } };
  expect((await api.request('PATCH', '/organisation', options)).status).toBe(200);
};

test('the default is all of them but what readers see', async () => {
  const { data } = await api.request('GET', '/organisation', { key: tenant.secretKey });
  expect(data.approval_operations_default).toBe(true);
  const sorted = data.approval_operations.toSorted();
  expect(sorted).toEqual(gatedOperations.filter((gate) => !isChosenGate(gate)).toSorted());
});

describe.each(defaultGates)('%s', (action) => {
  test('is in force for a list that was chosen before it, until a person takes it out', async () => {
    await choose([]);
    await api.db.pool.query(
      'update organisations set approval_operations_offered = array_remove(approval_operations_offered, $2) where id = $1',
      [tenant.organisationId, action],
    );
    const request = await example(action);
    expect((await sendAs(api, agent, request)).status).toBe(202);
    const { data } = await api.request('GET', '/organisation', { key: tenant.secretKey });
    expect(data).toMatchObject({ approval_operations: [action], approval_operations_default: false });
    await choose([]);
    const done = await sendAs(api, agent, await example(action));
    expect([done.status, done.data?.approval]).toEqual([request.done, undefined]);
  });
});

describe.each(chosenGates)('%s', (action) => {
  test('waits for nobody unless it is chosen', async () => {
    const request = await example(action);
    const done = await sendAs(api, agent, request);
    expect([done.status, done.data?.approval]).toEqual([request.done, undefined]);
  });
});
