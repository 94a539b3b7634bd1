import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../../runtime/home.ts';
import { startApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { installPackedSdk, run, writeScenario } from '../support/sdk/packed.ts';
import type { PackedSdk } from '../support/sdk/packed.ts';
import { expected } from '../support/sdk/scenario.mjs';

let sdk: PackedSdk;

beforeAll(async () => {
  sdk = await installPackedSdk();
});
afterAll(() => sdk.remove());

const read = (path: string): string => readFileSync(path, 'utf8');

test('the package has what a user needs, and nothing else', () => {
  const manifest = JSON.parse(read(join(sdk.folder, 'node_modules/@presswork/sdk/package.json')));
  expect(manifest).toMatchObject({
    name: '@presswork/sdk',
    version: JSON.parse(read(join(root, 'package.json'))).version,
    type: 'module',
    sideEffects: false,
    license: 'Apache-2.0',
    engines: { node: '>=20' },
    publishConfig: { access: 'public', provenance: true },
  });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  const others = sdk.files.filter((path) => !/^dist\/.+\.(js|d\.ts)$/.test(path));
  expect(others.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
  expect(read(join(root, 'sdk/LICENSE'))).toBe(read(join(root, 'LICENSE')));
  expect(read(join(root, 'sdk/CHANGELOG.md'))).toContain(`## ${manifest.version}`);
});

/** The size of a bundled and minified program, in bytes. */
async function sizeOf(contents: string, external: readonly string[] = []): Promise<number> {
  const bundled = await build({
    stdin: { contents, resolveDir: sdk.folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: [...external],
  });
  return gzipSync(bundled.outputFiles[0]!.contents, { level: 9 }).length;
}

test('a minimal bundled client has at most 12 KB, and everything without the table of operations 7 KB', async () => {
  const minimal = `import { Presswork } from '@presswork/sdk';
    const presswork = new Presswork({ apiKey: 'x', baseUrl: 'https://api.example.com/v1' });
    for await (const { title } of presswork.articles.list()) console.log(title);`;
  expect(await sizeOf(minimal)).toBeLessThanOrEqual(12 * 1_024);
  expect(await sizeOf(minimal, ['*/generated/operations.js'])).toBeLessThanOrEqual(7 * 1_024);
  expect(await sizeOf(`export * from '@presswork/sdk';`, ['*/generated/operations.js'])).toBeLessThanOrEqual(
    7 * 1_024,
  );
});

test('what is not used is not bundled', async () => {
  const one = await sizeOf(`export { verifyWebhook } from '@presswork/sdk';`);
  expect(one).toBeLessThanOrEqual(1.5 * 1_024);
});

describe('types', () => {
  const compilers = {
    'TypeScript 5.8': join(root, 'sdk/node_modules/typescript/bin/tsc'),
    'the newest TypeScript': join(root, 'node_modules/typescript/bin/tsc'),
  };
  const recipes = [...read(join(root, 'sdk/README.md')).matchAll(/^### .+$[^]*?```ts\n([^]*?)```/gm)];

  beforeAll(() => {
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const strict = { strict: true, exactOptionalPropertyTypes: true };
    writeFileSync(
      join(sdk.folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { noEmit: true, ...strict, target: 'es2022', lib, types: [] },
        files: ['consumer.ts', 'recipes.ts'],
      }),
    );
    writeFileSync(join(sdk.folder, 'consumer.ts'), read(join(root, 'test/support/sdk/consumer.ts.txt')));
    const functions = recipes.map(
      ([, code], index) => `export async function recipe${index}() {\n${code}}\n`,
    );
    writeFileSync(
      join(sdk.folder, 'recipes.ts'),
      `import { Presswork, PressworkError, uploadMedia, verifyWebhook, waitForRun, withApproval } from '@presswork/sdk';
declare const presswork: Presswork, agent: Presswork;
declare const apiKey: string, baseUrl: string, articleId: string, secret: string, oldSecret: string;
declare const png: Uint8Array<ArrayBuffer>;
${functions.join('')}`,
    );
  });

  test.each(
    Object.entries(compilers).flatMap(([name, path]) =>
      ['nodenext', 'bundler'].map((resolution) => [name, resolution, path] as const),
    ),
  )('hold with %s and the resolution %s, in the recipes too', async (_, resolution, path) => {
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    const flags = ['--project', 'tsconfig.json', '--module', module, '--moduleResolution', resolution];
    await run(process.execPath, [path, ...flags], sdk.folder);
  });
});

test('the installed package runs on this Node', async () => {
  const api = await startApi();
  try {
    const { secretKey } = await buildTenant(api.db);
    const program = await writeScenario(sdk, `${api.origin}/v1`, secretKey);
    expect(JSON.parse(await run(process.execPath, [program], sdk.folder))).toEqual(expected);
  } finally {
    await api.close();
  }
});
