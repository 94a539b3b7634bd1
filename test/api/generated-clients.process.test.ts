import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../runtime/home.ts';

const document = join(root, 'docs/openapi.json');

/** Runs a program in node_modules, and returns what it prints. */
const run = async (program: string, args: readonly string[], options = ''): Promise<string> => {
  const env = { ...process.env, NODE_OPTIONS: options };
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(root, 'node_modules', program), ...args],
      { env, maxBuffer: 10_000_000 },
    );
    return stdout;
  } catch (error) {
    throw new Error(`${program}: ${(error as { stdout: string; stderr: string }).stdout}`, { cause: error });
  }
};
/** For generators. The clients are compiled by the TypeScript of the product. */
const withOldCompiler = `--import=${join(root, 'test/support/old-compiler.mjs')}`;

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'preserve',
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
};

/** openapi-typescript makes types only, so the program declares a client by them. */
const withTypes = `
import type { components, operations, webhooks } from './generated';

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type Success<Id extends keyof operations> = {
  [Status in keyof operations[Id]['responses']]: Status extends 200 | 201 | 202 ? Json<operations[Id]['responses'][Status]> : never;
}[keyof operations[Id]['responses']];
type Sent<Id extends keyof operations> = Omit<operations[Id]['parameters'], 'header' | 'cookie'> & {
  header?: operations[Id]['parameters']['header'];
  body?: Json<NonNullable<operations[Id]['requestBody']>>;
};
declare function call<Id extends keyof operations>(id: Id, sent: Sent<Id>): Promise<Success<Id>>;

const { items, next_cursor } = (await call('listArticles', { query: { limit: 5, status: ['draft'], fields: ['title'] } })).data;
const cursor: string | null = next_cursor;
const titles: (string | null | undefined)[] = items.map((item) => item.title);
const article = (await call('createArticle', { header: { 'Idempotency-Key': 'a' }, body: { title: 'Hello', faqs: [{ question: 'Why?', answer: 'So.' }] } })).data;
const state = (await call('publishArticle', { path: { id: article.id }, body: {} })).data;
const status: string = 'approval' in state ? state.approval.status : state.status;
const sent = await call('redeliverWebhook', { path: { id: article.id, delivery_id: article.id } });
const event: string = sent.data.event_id;
const started = (await call('startPipelineRun', { body: { topics: [{ title: 'Why tea' }] } })).data;
const waiting: string = 'approval' in started ? started.approval.expires_at : started.status;
type Delivered = Json<NonNullable<webhooks['article.published']['post']['requestBody']>>;
const published = (delivered: Delivered): string | null => delivered.data.title;
const codeOf = (error: components['schemas']['Error']): string => error.error.code;

// @ts-expect-error limit is a number
void call('listArticles', { query: { limit: '5' } });
// @ts-expect-error there is no such order
void call('listArticles', { query: { order: 'title' } });
// @ts-expect-error the name is required
void call('createCategory', { body: {} });
// @ts-expect-error status cannot be set
void call('createArticle', { body: { title: 'Hello', status: 'published' } });
// @ts-expect-error both ids are required
void call('redeliverWebhook', { path: { id: article.id } });
// @ts-expect-error the version is not a member of an article
void article.version;
void [cursor, titles, status, event, waiting, published, codeOf];
export {};
`;

const withFunctions = `
import { createArticle, createCategory, listArticles, publishArticle, redeliverWebhook, startPipelineRun } from './generated';
import type { ArticlePublishedEvent } from './generated';

const { data, error } = await listArticles({ query: { limit: 5, status: ['draft'], fields: ['title'] } });
if (data === undefined) throw new Error(error.error.code satisfies string);
const cursor: string | null = data.data.next_cursor;
const titles: (string | null | undefined)[] = data.data.items.map((item) => item.title);
const throwing = { throwOnError: true } as const;
const article = (await createArticle({ ...throwing, headers: { 'Idempotency-Key': 'a' }, body: { title: 'Hello', faqs: [{ question: 'Why?', answer: 'So.' }] } })).data.data;
const state = (await publishArticle({ ...throwing, path: { id: article.id }, body: {} })).data.data;
const status: string = 'approval' in state ? state.approval.status : state.status;
const sent = await redeliverWebhook({ ...throwing, path: { id: article.id, delivery_id: article.id } });
const event: string = sent.data.data.event_id;
const started = (await startPipelineRun({ ...throwing, body: { topics: [{ title: 'Why tea' }] } })).data.data;
const waiting: string = 'approval' in started ? started.approval.expires_at : started.status;
const published = (delivered: ArticlePublishedEvent): string | null => delivered.data.title;

// @ts-expect-error limit is a number
void listArticles({ query: { limit: '5' } });
// @ts-expect-error there is no such order
void listArticles({ query: { order: 'title' } });
// @ts-expect-error the name is required
void createCategory({ headers: { 'Idempotency-Key': 'a' }, body: {} });
// @ts-expect-error the key is required
void createCategory({ body: { name: 'Tea' } });
// @ts-expect-error status cannot be set
void createArticle({ headers: { 'Idempotency-Key': 'a' }, body: { title: 'Hello', status: 'published' } });
// @ts-expect-error both ids are required
void redeliverWebhook({ path: { id: article.id } });
// @ts-expect-error the version is not a member of an article
void article.version;
void [cursor, titles, status, event, waiting, published];
`;

test.each([
  {
    generator: 'openapi-typescript',
    bin: 'openapi-typescript/bin/cli.js',
    args: [document, '-o', 'generated.ts'],
    program: withTypes,
  },
  {
    generator: '@hey-api/openapi-ts',
    bin: '@hey-api/openapi-ts/bin/run.js',
    args: ['--no-log-file', '-i', document, '-o', 'generated'],
    program: withFunctions,
  },
])('$generator makes a client that compiles, and refuses wrong use', async ({ bin, args, program }) => {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-generated-'));
  try {
    const output = args.map((arg, index) => (args[index - 1] === '-o' ? join(folder, arg) : arg));
    await run(bin, output, withOldCompiler);
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['program.ts'] }),
    );
    expect(await run('typescript/bin/tsc', ['--project', folder])).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
