import Koa from 'koa';
import pg from 'pg';
import { CONNECTIONS } from './load.ts';

/**
 * What the product's paths are held against: Koa that answers a constant, and Koa with one named prepared
 * read of a row of the same table. Neither knows keys, limits, ids of requests, logs or anything else.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS });
const constant = { data: { status: 'ok' } };
const app = new Koa();

app.use(async (ctx) => {
  if (ctx.path === '/constant') {
    ctx.body = constant;
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
