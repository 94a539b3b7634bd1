import { text } from 'node:stream/consumers';
import Koa from 'koa';
import pg from 'pg';
import sharp from 'sharp';
import { createJpeg } from './images.ts';
import { CONNECTIONS } from './load.ts';

/**
 * The upper bounds that the product is compared with: Koa that answers a constant, Koa with one prepared read or insert
 * of a row of the same table or of a page of comments, and sharp with an image in memory. They have no keys, rate
 * limits, request ids or logs.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS });
const constant = { data: { status: 'ok' } };
const jpeg = await createJpeg();
const commentsOf = `
  select id, parent_id, author_name, body, created_at from comments
  where article_id = $1 and is_public order by created_at, id limit 100`;
/** The articles by their slugs, read once. Only the large Site has comments. */
const articles = new Map<string, string>();
const app = new Koa();

sharp.cache(false);
sharp.concurrency(1);

app.use(async (ctx) => {
  if (ctx.path === '/constant') {
    ctx.body = constant;
  } else if (ctx.method === 'POST') {
    ctx.body = { data: await insertRow(JSON.parse(await text(ctx.req)) as InsertedRow) };
    ctx.status = 201;
  } else if (ctx.path === '/metadata') {
    ctx.body = await sharp(jpeg).metadata();
  } else if (ctx.path === '/decode') {
    const { info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
    ctx.body = info;
  } else if (ctx.path.startsWith('/comments/')) {
    const slug = ctx.path.slice('/comments/'.length);
    const article = articles.get(slug) ?? (await findCommented(slug));
    const { rows } = await pool.query({ name: 'comments', text: commentsOf, values: [article] });
    ctx.body = { data: rows };
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

async function findCommented(slug: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select distinct a.id from comments c join articles a on a.id = c.article_id where a.slug = $1',
    [slug],
  );
  const id = rows[0]?.id ?? '';
  articles.set(slug, id);
  return id;
}
