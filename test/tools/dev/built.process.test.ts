import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../../../tools/dev/built.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const earlier = process.env['PRESSWORK_CACHE'];
let cache: string;

beforeEach(() => {
  cache = temporaryFolder();
  process.env['PRESSWORK_CACHE'] = cache;
});
afterEach(() => {
  if (earlier === undefined) delete process.env['PRESSWORK_CACHE'];
  else process.env['PRESSWORK_CACHE'] = earlier;
  rmSync(cache, { recursive: true, force: true });
});

let made = 0;
const make = async (folder: string): Promise<void> => {
  made += 1;
  writeFileSync(join(folder, 'made'), String(made));
};
const build = (sources = ['package.json']): Promise<string> => built({ name: 'things', sources, make });
const contents = (folder: string): string => readFileSync(join(folder, 'made'), 'utf8');
const kept = (): string[] => readdirSync(join(cache, 'things'));

test('the same sources are built once, others anew', async () => {
  const first = await build();
  const before = contents(first);
  expect(await build()).toBe(first);
  expect(contents(first)).toBe(before);
  expect(await build(['package.json', 'tsconfig.json'])).not.toBe(first);
});

test('what is for this clone alone is not taken for what is for all', async () => {
  const own = await built({ name: 'things', sources: ['package.json'], ofThisClone: true, make });
  expect(own).not.toBe(await build());
});

test('two builds at the same time end with one, and leave nothing else', async () => {
  const [one, other] = await Promise.all([build(), build()]);
  expect(one).toBe(other);
  expect(kept()).toHaveLength(1);
});

test('a build that fails leaves nothing, and the next one is made', async () => {
  const failing = built({
    name: 'things',
    sources: ['package.json'],
    make: async (folder) => {
      writeFileSync(join(folder, 'half'), '');
      throw new Error('the disk is full');
    },
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect(kept()).toEqual([]);
  expect(existsSync(join(await build(), 'made'))).toBe(true);
});

test('the builds used last are kept, older ones and what a killed start left are deleted', async () => {
  const hourAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  const old = (name: string, hours: number): string => {
    const folder = join(cache, 'things', name);
    mkdirSync(folder, { recursive: true });
    utimesSync(folder, hourAgo(hours), hourAgo(hours));
    return folder;
  };
  const used = await build();
  utimesSync(used, hourAgo(90), hourAgo(90));
  await build();
  const others = Array.from({ length: 9 }, (_, index) => old(`${index}`.repeat(16), 20 + index));
  const [killed, running] = [old('building-killed', 2), old('building-running', 0)];
  const newest = await build(['tsconfig.json']);
  for (const folder of [used, newest, running, ...others.slice(0, 6)]) expect(existsSync(folder)).toBe(true);
  for (const folder of [killed, ...others.slice(6)]) expect(existsSync(folder)).toBe(false);
});

test('a cache that cannot be written is named, with what to do', async () => {
  writeFileSync(join(cache, 'things'), '');
  await expect(build()).rejects.toThrow(
    /things cannot be written \(E\w+\)\. Set PRESSWORK_CACHE to a folder that can\.$/,
  );
});
