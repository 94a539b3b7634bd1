import type { Stack } from '../stack.ts';

/** The cost of an article through all five stages (docs/spec/rulings.md, 10). */
const COST = 19;

/** Runs did their work at its cost, and the balance matches the ledger. */
export async function checkLedger({ client, db, load }: Stack): Promise<string[]> {
  const wrong: string[] = [];
  const { rows: off } = await db.pool.query(
    `select o.id, o.credit_balance as balance, coalesce(sum(l.amount), 0)::bigint as entered, min(l.balance) as least
     from organisations o left join credit_ledger l on l.organisation_id = o.id group by o.id
     having o.credit_balance <> coalesce(sum(l.amount), 0) or o.credit_balance < 0 or min(l.balance) < 0`,
  );
  for (const row of off) wrong.push(`the ledger is off: ${JSON.stringify(row)}`);
  let cost = 0;
  for (const [id, articles] of load.promises.runs) {
    const { data: run } = await client.send('GET', `/pipeline/runs/${id}`, { answers: [200] });
    cost += articles * COST;
    const { status, credits_spent: spent, totals } = run;
    if (status !== 'completed' || spent !== articles * COST || totals.stages_done !== articles * 5)
      wrong.push(`run ${id} is ${status}, ${totals.stages_done} stages done, ${spent} credits spent`);
  }
  const { rows } = await db.pool.query<{ runs: number; charged: number }>(
    `select (select count(*) from pipeline_runs)::int as runs,
       (select -coalesce(sum(amount), 0) from credit_ledger where kind <> 'grant')::int as charged`,
  );
  const [{ runs, charged } = { runs: -1, charged: -1 }] = rows;
  if (runs !== load.promises.runs.size)
    wrong.push(`there are ${runs} runs, and ${load.promises.runs.size} were answered`);
  if (charged !== cost) wrong.push(`${charged} credits were charged for what costs ${cost}`);
  const { usage } = (await client.send('GET', '/usage', { answers: [200] })).data;
  if (usage.credits_spent !== cost) wrong.push(`usage has ${usage.credits_spent} credits spent of ${cost}`);
  return wrong;
}
