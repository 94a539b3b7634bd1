import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { openApiDocument } from '../../../../api/openapi.ts';
import { operations } from '../../../../api/operations.ts';
import { describeDocument } from '../../../../api/pages/reference/described.ts';
import { requestExamples } from '../../../../api/pages/reference/examples.ts';
import { pages } from '../../../../api/pages/reference/pages.ts';
import { root } from '../../../../runtime/home.ts';
import { run } from '../../../support/sdk/packed.ts';

interface Element {
  readonly textContent: string;
  querySelectorAll(selector: string): Iterable<Element>;
}

const described = describeDocument(openApiDocument(operations, 'https://api.example.com/v1'));

/** What the examples of the guide take for granted. */
const given = `import { Presswork as Client } from '@presswork/sdk';
declare global {
  const presswork: Client;
  const id: string;
  const process: { readonly env: Readonly<Record<string, string | undefined>> };
}
`;

/** A program for each operation, as a reader copies it. */
const ofOperations = described.operations.map((operation) => {
  const example = requestExamples(operation, described).find(({ label }) => label === 'SDK');
  return [operation.id, example?.code ?? ''] as const;
});

/** A program for each page of the guide: its examples in order, because a later one may use an earlier one. */
const ofGuide = [...pages]
  .filter(([path]) => /^\/docs(?:\/guide\/[\w-]+)?$/.test(path))
  .map(([path, make]) => {
    const page = parseHTML(make(described)).document as Element;
    const code = [...page.querySelectorAll('[data-label=SDK] code')].map(({ textContent }) => textContent);
    return [path.slice(1).replaceAll('/', '-'), code.join('\n\n')] as const;
  })
  .filter(([, code]) => code !== '');

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'presswork-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Compiles programs against the source of the SDK. @throws Error with what the compiler found */
async function compile(programs: readonly (readonly [name: string, code: string])[]): Promise<void> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    paths: { '@presswork/sdk': [join(root, 'sdk/src/index.ts')] },
  };
  const project = { compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'given.ts'), given);
  // Without an import, an example would be no module.
  for (const [name, code] of programs) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder], folder);
}

test('the example of every operation, and those of each page of the guide, compile with the SDK', async () => {
  expect(ofOperations.map(([id]) => id).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  expect(ofGuide.map(([name]) => name)).toEqual(expect.arrayContaining(['docs', 'docs-guide-webhooks']));
  await compile([...ofOperations, ...ofGuide]);
});

test.each([
  ['a method', 'articles.create(', 'articles.make('],
  ['a member of the body', "title: '", "tittle: '"],
  ['the type of a member', /title: '[^']*'/, 'title: 1'],
])('an example does not compile with %s that the SDK does not have', async (_, right, wrong) => {
  const [name, code] = ofOperations.find(([id]) => id === 'createArticle') ?? ['', ''];
  const changed = code.replace(right, wrong);
  expect(changed).not.toBe(code);
  await expect(compile([[name, changed]])).rejects.toThrow('createArticle.ts');
});
