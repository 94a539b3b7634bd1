import { useApi } from '../../../support/api.ts';
import { buildPerson, buildTenant } from '../../../support/builders.ts';
import { DashboardVisitor } from '../../../support/dashboard.ts';
import { startTestStripe } from '../../../support/stripe/payments.ts';

const stripe = await startTestStripe();
const api = await useApi({ payments: stripe.payments });
afterAll(() => stripe.close());

test('who manages billing sees what is sold; an editor and a stranger do not', async () => {
  const tenant = await buildTenant(api.db);
  const other = await buildTenant(api.db);
  const offers = async (role: 'owner' | 'editor', siteId: string) => {
    const { email, password } = await buildPerson(api.db, tenant.organisationId, { role });
    const visitor = await new DashboardVisitor(api).signIn(email, password);
    return visitor.ask('GET', `/sites/${siteId}/offers`);
  };
  const { status, data } = await offers('owner', tenant.siteId);
  expect(status).toBe(200);
  expect(data).toEqual({
    packs: [
      { name: 'starter', amount: 1_000, currency: 'usd', credits: 100 },
      { name: 'big', amount: 8_000, currency: 'usd', credits: 1_000 },
    ],
    plans: [{ name: 'pro', amount: 2_900, currency: 'usd', credits: null }],
  });
  expect((await offers('editor', tenant.siteId)).status).toBe(403);
  expect((await offers('owner', other.siteId)).status).toBe(404);
});
