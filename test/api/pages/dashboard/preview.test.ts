import { randomUUID } from 'node:crypto';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestApi } from '../../../support/api.ts';
import { DashboardVisitor } from '../../../support/dashboard.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let tenant: Tenant;
let visitor: DashboardVisitor;

beforeAll(async () => {
  stack = await startSignInStack();
  ({ api } = stack);
});
beforeEach(async () => {
  const { person, ...next } = await stack.nextCase();
  ({ tenant } = next);
  visitor = await new DashboardVisitor(api).signIn(person.email, person.password);
});
afterAll(() => api.close());

const preview = (body: unknown, siteId = tenant.siteId) =>
  visitor.ask('POST', `/sites/${siteId}/preview`, body);

test('text is shown as readers would see it, and nothing of it can run', async () => {
  const { status, data } = await preview({
    title: 'Tea <script>',
    content: '# Water\n\n<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))',
    faqs: [{ question: 'How <b>long</b>?', answer: 'Three minutes.' }],
  });
  expect(status).toBe(200);
  expect(data.html).toContain('Tea &lt;script&gt;');
  expect(data.html).toContain('<h1>Water</h1>');
  expect(data.html).toContain('How &lt;b&gt;long&lt;/b&gt;?');
  expect(data.html).not.toMatch(/<script|onerror|href="javascript:/);
});

test('an empty article is shown, too', async () => {
  expect((await preview({})).data.html).toContain('Untitled');
});

test('what cannot be shown is refused at its field', async () => {
  const { status, json } = await preview({ featured_image_url: 'javascript:alert(1)' });
  expect([status, Object.keys(json.error.fields)]).toEqual([422, ['featured_image_url']]);
});

test('a Site of others is unknown', async () => {
  const other = await buildTenant(api.db);
  expect((await preview({ content: 'x' }, other.siteId)).status).toBe(404);
  expect((await preview({ content: 'x' }, randomUUID())).status).toBe(404);
});

test('the frame loads nothing but images, runs nothing, and is framed by the dashboard only', async () => {
  const { status, headers } = await visitor.send('GET', '/dashboard/preview', undefined, {
    accept: 'text/html',
  });
  const policy = headers.get('content-security-policy') ?? '';
  expect(status).toBe(200);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('script-src');
  expect(policy).toContain("frame-ancestors 'self'; sandbox allow-same-origin");
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
});
