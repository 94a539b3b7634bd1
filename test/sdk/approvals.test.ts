import {
  Presswork,
  PressworkError,
  waitForApproval,
  waitForBulkJob,
  waitForRun,
  withApproval,
} from '../../sdk/src/index.ts';
import type { PendingApproval } from '../../sdk/src/index.ts';
import { useApi } from '../support/api.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildTenant } from '../support/builders.ts';

const api = await useApi();
let owner: Presswork;
let agent: Presswork;
let agentKey: string;

beforeAll(async () => {
  const tenant = await buildTenant(api.db, { plan: 'pro' });
  const clientOf = (apiKey: string) => new Presswork({ apiKey, baseUrl: `${api.origin}/v1` });
  owner = clientOf(tenant.secretKey);
  agentKey = (await buildAgent(api, tenant)).secret;
  agent = clientOf(agentKey);
});

const asked = async (request: Promise<unknown>): Promise<PendingApproval> => {
  const error = await request.catch((reason: unknown) => reason);
  if (!(error instanceof PressworkError) || error.approval === undefined) throw error;
  expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', status: 202 });
  return error.approval;
};

test('a request that waits for a person rejects with the approval, with which it is repeated', async () => {
  const { id } = await owner.articles.create({ title: 'To go' });
  const approval = await asked(agent.articles.delete(id));
  expect(approval).toMatchObject({ status: 'pending', action: 'article.delete' });
  expect((await owner.articles.get(id)).id).toBe(id);
  const decided = waitForApproval(agent, approval.id);
  await owner.approvals.approve(approval.id);
  expect(await decided).toMatchObject({ status: 'approved' });
  expect(await agent.articles.delete(id, { approval: approval.id })).toEqual({});
  await expect(owner.articles.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('withApproval asks, waits and repeats; without an approval it only makes the request', async () => {
  const { id } = await owner.articles.create({ title: 'To go' });
  const onRequested = (approval: PendingApproval) => void owner.approvals.approve(approval.id);
  await withApproval(agent, (approval) => agent.articles.delete(id, { approval }), { onRequested });
  await expect(owner.articles.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const other = await owner.articles.create({ title: 'Too' });
  const refused = () => {
    throw new Error('nothing was to be approved');
  };
  await withApproval(owner, (approval) => owner.articles.delete(other.id, { approval }), {
    onRequested: refused,
  });
});

test('a denied request rejects with APPROVAL_DENIED', async () => {
  const { id } = await owner.articles.create({ title: 'To stay' });
  const onRequested = (approval: PendingApproval) => void owner.approvals.deny(approval.id);
  const denied = withApproval(agent, (approval) => agent.articles.delete(id, { approval }), { onRequested });
  await expect(denied).rejects.toMatchObject({ code: 'APPROVAL_DENIED', status: 403 });
  expect((await owner.articles.get(id)).id).toBe(id);
});

test('a wait is bounded, and ends with its signal, or that of the client', async () => {
  const { id } = await owner.articles.create({ title: 'Undecided' });
  const approval = await asked(agent.articles.delete(id));
  await expect(waitForApproval(agent, approval.id, { timeoutMs: 100 })).rejects.toMatchObject({
    code: 'TIMEOUT',
  });
  const signal = AbortSignal.timeout(100);
  await expect(waitForApproval(agent, approval.id, { signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  const ending = new AbortController();
  const client = new Presswork({ apiKey: agentKey, baseUrl: `${api.origin}/v1`, signal: ending.signal });
  setTimeout(() => ending.abort(new Error('the client has ended')), 100);
  await expect(waitForApproval(client, approval.id)).rejects.toThrow('the client has ended');
  const ended = AbortSignal.abort(new Error('no longer wanted'));
  await expect(waitForApproval(agent, approval.id, { signal: ended })).rejects.toThrow('no longer wanted');
});

test('a bulk job is waited for until it has ended', async () => {
  const { id } = await owner.articles.create({ title: 'One of many' });
  const job = await owner.articles.startBulkJob({ action: 'publish', article_ids: [id] });
  expect(job).toMatchObject({ status: 'queued', items: [{ article_id: id, status: 'waiting' }] });
  await expect(waitForBulkJob(owner, job.id, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  const waiting = waitForBulkJob(owner, job.id);
  await owner.articles.cancelBulkJob(job.id);
  expect(await waiting).toMatchObject({ id: job.id, status: 'cancelled', totals: { waiting: 1 } });
});

test('a run that has ended is answered at once, whatever its status', async () => {
  const run = await owner.pipeline.startRun({ topics: [{ title: 'How to bake bread' }] });
  await expect(waitForRun(owner, run.id, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  const waiting = waitForRun(owner, run.id);
  await api.db.pool.query(
    "update pipeline_runs set status = 'cancelled', finished_at = now() where id = $1",
    [run.id],
  );
  expect(await waiting).toMatchObject({ id: run.id, status: 'cancelled' });
});
