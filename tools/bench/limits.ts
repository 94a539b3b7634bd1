import { text } from 'node:stream/consumers';
import Koa from 'koa';
import pg from 'pg';
import { CONNECTIONS } from './load.ts';

/**
 * The upper bounds that the product is compared with: Koa that answers a constant, and Koa with one prepared read or
 * insert of a row of the same table. They have no keys, rate limits, request ids or logs.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS });
const constant = { data: { status: 'ok' } };
const app = new Koa();

app.use(async (ctx) => {
  if (ctx.path === '/constant') {
    ctx.body = constant;
  } else if (ctx.method === 'POST') {
    ctx.body = { data: await insertRow(JSON.parse(await text(ctx.req)) as InsertedRow) };
    ctx.status = 201;
  } else {
    const id = ctx.path.slice('/rows/'.length);
    const { rows } = await pool.query({
      name: 'row',
      text: 'select * from articles where id = $1',
      values: [id],
    });
    ctx.body = { data: rows[0] };
  }
});
app.listen(Number(process.env['PORT']), '127.0.0.1');

interface InsertedRow {
  readonly site_id: string;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly excerpt: string;
}

async function insertRow({ site_id, title, slug, content, excerpt }: InsertedRow): Promise<unknown> {
  const { rows } = await pool.query({
    name: 'insert',
    text: `insert into articles (id, site_id, status, title, slug, content, excerpt, created_at, updated_at)
           values (uuidv7(), $1, 'draft', $2, $3, $4, $5, now(), now()) returning *`,
    values: [site_id, title, slug, content, excerpt],
  });
  return rows[0];
}
