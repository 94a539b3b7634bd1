import { readFileSync, writeFileSync } from 'node:fs';
import { useApi } from '../../support/api.ts';
import { buildAgent, decideAs } from '../../support/approvals.ts';
import { buildKey, buildTenant } from '../../support/builders.ts';
import { connectMcp, textOf } from '../../support/mcp.ts';
import type { McpClient, ToolResult } from '../../support/mcp.ts';

const DOCUMENT = 'docs/agents.md';
const BEGIN = '<!-- begin of the recorded conversation -->';
const END = '<!-- end of the recorded conversation -->';

const DAY_MS = 86_400_000;

const topics = ['How to store tea', 'Tea in winter', 'Which water is right'];

const api = await useApi();

/** The conversation as the document shows it: ids, times and the origin are always the same ones. */
class Recording {
  readonly #began = Date.now();
  readonly #lines: string[] = [];
  readonly #ids = new Map<string, string>();

  say(who: string, words: string): void {
    this.#lines.push(`**${who}:** ${words}`, '');
  }

  call(name: string, given: object): void {
    this.#lines.push(
      `**Agent** calls \`${name}\`:`,
      '',
      '```json',
      JSON.stringify(given, null, 2),
      '```',
      '',
    );
  }

  answer(result: ToolResult): void {
    const shown = result.structuredContent === undefined ? textOf(result) : brief(result.structuredContent);
    const [language, text] =
      typeof shown === 'string' ? ['text', shown] : ['json', JSON.stringify(shown, null, 2)];
    this.#lines.push(`**Presswork** answers:`, '', `\`\`\`${language}`, text, '```', '');
  }

  get text(): string {
    return this.#lines
      .join('\n')
      .replaceAll(api.origin, 'https://cms.example.com')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => this.#nameOf(id))
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => this.#timeOf(time))
      .trim();
  }

  /** The same day, if the conversation took place on December 28. */
  #timeOf(time: string): string {
    const days = Math.round((Date.parse(time) - this.#began) / DAY_MS);
    return new Date(Date.UTC(2026, 11, 28 + days, 9)).toISOString();
  }

  #nameOf(id: string): string {
    const name =
      this.#ids.get(id) ?? `01970000-0000-7000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`;
    this.#ids.set(id, name);
    return name;
  }
}

/** Without the members that say nothing. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0),
  );
  return Object.fromEntries(members.map(([name, inner]) => [name, brief(inner)]));
}

async function converse(): Promise<string> {
  const tenant = await buildTenant(api.db);
  const key = tenant.secretKey;
  await api.db.pool.query(`update sites set name = 'The Tea Blog' where id = $1`, [tenant.siteId]);
  for (const title of topics) await api.request('POST', '/content-plan', { key, body: { title } });

  const recording = new Recording();
  const { secret } = await buildAgent(api, tenant);
  const client = await connectMcp(api, secret, '2026', async (url) => {
    recording.say('Presswork', `asks for the decision of a person, who opens ${url}.`);
    const decided = await decideAs(api, key, url.split('/').at(-1) ?? '', 'deny');
    expect(decided.status).toBe(200);
    recording.say('Person', 'denies it there.');
    return 'accept';
  });
  const callBy =
    (by: McpClient) =>
    async (name: string, given: Record<string, unknown>): Promise<any> => {
      recording.call(name, given);
      const result = await by.call(name, given);
      recording.answer(result);
      return result.structuredContent;
    };
  const call = callBy(client);

  recording.say('Person', 'Draft three articles from the plan and schedule them for next week, one a day.');
  const { items } = await call('list_plan_items', { limit: 3 });
  expect(items.map(({ title }: { title: string }) => title)).toEqual(topics);
  const drafts: { id: string }[] = [];
  for (const { title } of items) {
    const body = { title, content: `## ${title}\n\nWhat we know, in short sentences.` };
    drafts.push(await call('create_article', { body }));
  }
  for (const [day, { id }] of drafts.entries()) {
    const time = new Date(Date.now() + (day + 7) * DAY_MS).toISOString();
    await call('schedule_article', { id, body: { scheduled_publish_at: time } });
  }
  recording.say('Person', 'The second one is not needed after all. Delete it.');
  await call('delete_article', { id: drafts[1]?.id });
  recording.say('Agent', 'It was denied on the approvals screen, so the article is still scheduled.');

  const { data } = await api.request('GET', `/articles/${drafts[1]?.id}`, { key });
  expect(data.status).toBe('scheduled');
  await client.close();

  const { id } = drafts[0] as { id: string };
  await api.request('POST', `/articles/${id}/publish`, { key });
  recording.say(
    'Person',
    'The first one is public now. Call it “Keeping tea”. (The key of this agent is for drafts only.)',
  );
  const { memberId, siteId } = tenant;
  await api.db.pool.query(`update members set email = 'ada@example.com' where id = $1`, [memberId]);
  const forDrafts = await buildKey(api.db, siteId, memberId, { heldByAgent: true, draftsOnly: true });
  const other = await connectMcp(api, forDrafts.secret, '2026');
  const callAsOther = callBy(other);
  const edit = { id, body: { title: 'Keeping tea' } };
  expect(await callAsOther('update_article', edit)).toBeUndefined();
  await callAsOther('update_pending_edit', edit);
  const review = await callAsOther('request_review', { id, body: { note: 'Only the title.' } });
  expect(review).toMatchObject({ state: 'requested', subject: 'pending_edit' });
  await other.close();
  return recording.text;
}

test('the conversation in the documentation is what happens', async () => {
  const document = readFileSync(DOCUMENT, 'utf8');
  const [before = '', rest = ''] = document.split(BEGIN);
  const [documented = '', after = ''] = rest.split(END);
  const happened = await converse();
  // With RECORD_CONVERSATION=1 it is written anew.
  if (process.env['RECORD_CONVERSATION'] === '1')
    writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${happened}\n\n${END}${after}`);
  else expect(documented.trim()).toBe(happened);
});
