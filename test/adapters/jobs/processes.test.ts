import { readFileSync } from 'node:fs';
import { NoPermit } from '../../../runtime/fair-semaphore.ts';
import { JobTooLarge, JobUnfinished } from '../../../adapters/jobs/helper-process.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import type { JobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import type { PageText } from '../../../adapters/writer/source-text.ts';
import { measureWork } from '../../support/work.ts';
import { nothingKnown } from '../../support/about-site.ts';

const { signal } = new AbortController();

let jobProcesses: JobProcesses;
beforeEach(() => {
  jobProcesses = createJobProcesses();
});
afterEach(() => jobProcesses.close());

const read = (site: string, html: string, on = jobProcesses): Promise<PageText> => {
  const body = Buffer.from(`<html><body><article>${html}</article></body></html>`);
  return on.readSource(site, { body, contentType: 'text/html; charset=utf-8' }, signal);
};
const plain = '<p>Rye bread needs a sourdough that is active, and a long rest in the cold.</p>'.repeat(20);
const attributes = Array.from({ length: 50 }, (_, index) => `a${index}`).join(' ');

const hostile: readonly [string, string][] = [
  ['50,000 no-break spaces', `<p>Bread ${'\u00a0'.repeat(50_000)} rises</p>${plain}`],
  ['60,000 nested elements', '<b>'.repeat(60_000)],
  ['19,000 nested elements', '<b>'.repeat(19_000)],
  ['12,000 elements of 50 attributes', `<i ${attributes}>x</i>`.repeat(12_000)],
  ['280,000 flat elements', '<p>x</p>'.repeat(280_000)],
  ['2 MB of form feeds', `<p>${'\f'.repeat(2_000_000)}</p>`],
];

/** The outcome for a page, in words. */
const outcome = (reading: Promise<PageText>): Promise<string> =>
  reading.then(
    ({ text, problem }) => (text === null ? `problem: ${problem}` : 'text'),
    (error: Error) => error.name,
  );

test.each(hostile)('a page of %s ends in time, as a text or as unreadable', async (_, html) => {
  const impatient = createJobProcesses({ processorMs: 3_000 });
  try {
    expect(await outcome(read('a', html, impatient))).toMatch(
      /^(text|problem: The source could not be read .*|JobTooLarge)$/s,
    );
  } finally {
    impatient.close();
  }
});

test('the text of a page full of unusual white space is found', async () => {
  const [, html] = hostile[0] as [string, string];
  expect((await read('a', html)).text).toMatch(/^Bread rises\s*Rye bread needs/);
});

test('hostile pages of one Site delay neither the event loop nor the pages of another', async () => {
  await Promise.all([read('hostile', plain), read('other', plain)]);
  const work = measureWork();
  let over = 0;
  const attacking = hostile.map(async ([, html]) => {
    await outcome(read('hostile', html));
    over += 1;
  });
  expect((await read('other', plain)).text).toContain('sourdough');
  // In one queue with the hostile pages, it would come after them.
  expect(over).toBeLessThan(hostile.length / 2);
  for (let page = 1; page < 5; page += 1) expect((await read('other', plain)).text).toContain('sourdough');
  await Promise.all(attacking);
  // Helper processes work for some seconds.
  expect(work()).toBeLessThan(1_000);
});

test('a page that takes too much memory only costs its own process, and the next page is read', async () => {
  const patient = createJobProcesses({ processorMs: 60_000 });
  try {
    const values = {
      title: '',
      keywords: [],
      source: null,
      locale: 'en',
      outline: null,
      written: {},
      about: nothingKnown,
    };
    const sections = Array.from({ length: 400_000 }, (_, index) => ({
      heading: `${index}`,
      guidance: 'x'.repeat(400),
    }));
    const job = { template: '{{sections}}', values: { ...values, blueprint: { requires: [], sections } } };
    await expect(patient.renderPrompt('a', job, signal)).rejects.toThrow(JobTooLarge);
    expect((await read('a', plain, patient)).text).toContain('sourdough');
  } finally {
    patient.close();
  }
});

test('a job for which a busy machine has no time is unfinished, not too large', async () => {
  const hurried = createJobProcesses({ deadlineMs: 1 });
  try {
    await expect(read('a', plain.repeat(200), hurried)).rejects.toThrow(JobUnfinished);
  } finally {
    hurried.close();
  }
});

const children = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a job whose process others kill is unfinished, not too large', async () => {
  const before = children();
  await read('a', plain);
  const [helper] = children().filter((child) => !before.includes(child));
  const work = outcome(read('a', '<p>x</p>'.repeat(280_000)));
  process.kill(Number(helper), 'SIGKILL');
  expect(await work).toBe('JobUnfinished');
});

test('a hundred jobs of one Site may wait, and one more is refused; another Site is not', async () => {
  const waiting = Array.from({ length: 101 }, () => read('a', plain));
  await expect(read('a', plain)).rejects.toThrow(NoPermit);
  expect((await read('b', plain)).text).toContain('sourdough');
  await Promise.all(waiting);
});

test('who waits for an answer does not wait for batch jobs, even of the same Site', async () => {
  let over = 0;
  const batch = Array.from({ length: 80 }, async () => {
    await read('a', plain);
    over += 1;
  });
  const page = { text: '# Page', placement: {} };
  expect(await jobProcesses.renderMarkdown('a', page)).toEqual({ html: '<h1>Page</h1>' });
  expect(over).toBeLessThan(80);
  await Promise.all(batch);
});

onLinux('jobs of every kind and of many Sites have four processes at most', async () => {
  const before = children();
  const sites = ['a', 'b', 'c', 'd'];
  await Promise.all(
    sites.flatMap((site) => [
      read(site, plain),
      jobProcesses.renderMarkdown(site, { text: site, placement: {} }),
      jobProcesses.readOutline(site, { text: site, locale: 'en' }),
      jobProcesses.sitemapsOf(site, { bytes: Buffer.from('') }),
    ]),
  );
  expect(children().filter((child) => !before.includes(child))).toHaveLength(4);
});

test('an aborted job does not start', async () => {
  const controller = new AbortController();
  const first = read('a', plain);
  const second = jobProcesses.readSource(
    'a',
    { body: Buffer.from(plain), contentType: 'text/html' },
    controller.signal,
  );
  controller.abort(new Error('given up'));
  await expect(second).rejects.toThrow('given up');
  await first;
});
