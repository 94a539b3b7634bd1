import { setTimeout as sleep } from 'node:timers/promises';
import { Names, NoTurn } from '../../../adapters/http/names.ts';
import type { NameOutcome, Question } from '../../../adapters/http/names.ts';
import { dnsLookup } from '../../../adapters/http/resolve.ts';
import type { Lookup } from '../../../adapters/http/resolve.ts';
import { noteOrganisation } from '../../../domain/organisations/tenant.ts';
import { eventually } from '../../support/eventually.ts';
import { letPass } from '../../support/passing-time.ts';
import { closeClients, postingTo } from './clients.ts';
import { closeNameServers, knowing, nameServer } from './name-server.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';

afterEach(async () => {
  await closeClients();
  await closeReceivers();
  closeNameServers();
});

const asking = (name: string, values: Partial<Question> = {}): Question => ({
  name,
  share: 'site-1',
  operators: false,
  turnMs: 1_000,
  onTurn: () => {},
  signal: new AbortController().signal,
  ...values,
});
const one = [{ address: '93.184.216.34', family: 4 }];
const hanging: Lookup = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a name by DNS', () => {
  const by = (server: { address: string }) => new Names({ lookup: dnsLookup([server.address]) });

  test('has the addresses that its server gives', async () => {
    const server = await nameServer(knowing({ 'a.example': ['93.184.216.34', '8.8.8.8'] }));
    const found = await by(server).resolve(asking('a.example'));
    expect(found.map(({ address }) => address).toSorted()).toEqual(['8.8.8.8', '93.184.216.34']);
  });

  test('that is unknown or has no address is a `dns` failure', async () => {
    const server = await nameServer(knowing({ 'none.example': [] }));
    await expect(by(server).resolve(asking('none.example'))).rejects.toMatchObject({ kind: 'dns' });
  });

  test('is found by one of A and AAAA if the other does not answer', async () => {
    const server = await nameServer((question) =>
      // AAAA is 28.
      question.includes(Buffer.from([0, 28, 0, 1]))
        ? undefined
        : knowing({ 'a.example': ['8.8.8.8'] })(question),
    );
    // Whoever waits for the other asks for it again before it is given up.
    await eventually('each is asked for once', async () => {
      server.asked.length = 0;
      expect(await by(server).resolve(asking('a.example'))).toEqual([{ address: '8.8.8.8', family: 4 }]);
      return server.asked.length === 2;
    });
  });

  test('whose server hangs is given up at the time limit, and asked for no more', async () => {
    const server = await nameServer(() => undefined);
    const names = new Names({ lookup: dnsLookup([server.address]), limitMs: 300 });
    await expect(names.resolve(asking('hangs.example'))).rejects.toMatchObject({ kind: 'dns' });
    await eventually('A and AAAA have been asked for', () => server.asked.length >= 2);
    const { length } = server.asked;
    // Longer than until a second question: nothing else shows that there is none.
    await sleep(2_000);
    expect(server.asked).toHaveLength(length);
  });
});

describe('answers', () => {
  test('are cached, failures for a shorter time, and concurrent look-ups are coalesced', async () => {
    const asked: string[] = [];
    const lookup: Lookup = async (name) => {
      asked.push(name);
      if (name === 'none.example') throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
      return one;
    };
    const names = new Names({ lookup, keepMs: 400_000, keepFailureMs: 100_000 });
    const ask = (name: string) => names.resolve(asking(name)).catch((error) => error.kind);
    expect(await Promise.all([ask('a.example'), ask('a.example'), ask('none.example')])).toEqual([
      one,
      one,
      'dns',
    ]);
    await Promise.all([ask('a.example'), ask('none.example')]);
    expect(asked).toEqual(['a.example', 'none.example']);
    await letPass(150_000);
    await Promise.all([ask('a.example'), ask('none.example')]);
    expect(asked).toEqual(['a.example', 'none.example', 'none.example']);
    await letPass(400_000);
    await ask('a.example');
    expect(asked.at(-1)).toBe('a.example');
  });

  test('that are cached are checked again by every request: an exempt host exempts no other', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const names = new Names({ lookup, operatorsLookup: lookup });
    const post = postingTo([`in.example:${receiver.port}`], { names });
    expect(await post(`http://in.example:${receiver.port}/`)).toMatchObject({ status: 200 });
    for (let time = 0; time < 2; time += 1)
      expect(await post('https://in.example/')).toMatchObject({ error: 'private_address' });
  });
});

describe('slots', () => {
  test('of one share do not use up those of another, and a look-up without a slot is reported as never made', async () => {
    const seen: NameOutcome[] = [];
    const lookup: Lookup = async (name, signal) => (name.startsWith('hangs') ? hanging(name, signal) : one);
    const names = new Names({
      lookup,
      atOnce: 6,
      perShare: 4,
      limitMs: 2_000,
      observe: (outcome) => seen.push(outcome),
    });
    const hung = Array.from({ length: 10 }, (_, number) =>
      names.resolve(asking(`hangs-${number}.example`, { turnMs: 100 })).catch((error) => error),
    );
    expect(await names.resolve(asking('a.example', { share: 'site-2' }))).toEqual(one);
    // None of the others has ended.
    expect(seen).toEqual(['found']);
    const results = await Promise.all(hung);
    expect(results.filter((error) => error instanceof NoTurn)).toHaveLength(6);
    expect(results.filter((error) => error.kind === 'dns')).toHaveLength(4);
    expect(seen.filter((outcome) => outcome === 'no_turn')).toHaveLength(6);
  });

  test('of all Sites of an organisation are one share', async () => {
    for (const site of ['first', 'second', 'third']) noteOrganisation(site, 'their organisation');
    const lookup: Lookup = async (name, signal) => (name.startsWith('hangs') ? hanging(name, signal) : one);
    const names = new Names({ lookup, atOnce: 6, perShare: 4, limitMs: 2_000 });
    const hung = ['first', 'second', 'third'].flatMap((share) =>
      Array.from({ length: 3 }, (_, number) =>
        names.resolve(asking(`hangs-${share}-${number}.example`, { share })).catch((error) => error),
      ),
    );
    expect(await names.resolve(asking('a.example', { share: 'another', turnMs: 0 }))).toEqual(one);
    await Promise.all(hung);
  });

  test('go to the share that holds the fewest, however many of another wait', async () => {
    const lookup: Lookup = (name, signal) =>
      name === 'a.example' ? Promise.resolve(one) : hanging(name, signal);
    const seen: NameOutcome[] = [];
    const observe = (outcome: NameOutcome): void => void seen.push(outcome);
    const names = new Names({ lookup, atOnce: 4, perShare: 4, limitMs: 200, observe });
    const hung = Array.from({ length: 40 }, (_, number) =>
      names.resolve(asking(`hangs-${number}.example`, { turnMs: 5_000 })).catch((error) => error),
    );
    expect(await names.resolve(asking('a.example', { share: 'site-2', turnMs: 5_000 }))).toEqual(one);
    // It was next, when the first of the forty had ended.
    expect(seen.length).toBeLessThanOrEqual(5);
    expect(seen).toContain('found');
    await Promise.all(hung);
  });

  test('are waited for outside the receiver’s time, and a request without one is our failure', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const lookup: Lookup = (name, signal) =>
      name === 'hangs.example'
        ? hanging(name, signal)
        : Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const names = new Names({ operatorsLookup: lookup, lookup, atOnce: 1, perShare: 1, limitMs: 1_300 });
    const post = postingTo([], { names, targets: { plainHttp: true } });
    const first = post('https://hangs.example/', { timeoutMs: 5_000 });
    const waited = await post('https://in.example/', { timeoutMs: 1_000 });
    // It waited for longer than its own time-out, and was then refused for its address.
    expect(waited).toMatchObject({ error: 'private_address', ours: false });
    expect(waited.durationMs).toBeLessThan(1_300);
    expect(await first).toMatchObject({ error: 'dns', ours: false });
    const stuck = new Names({ lookup, atOnce: 1, perShare: 1, limitMs: 10_000 });
    const other = postingTo([], { names: stuck });
    const second = other('https://hangs.example/', { timeoutMs: 3_000 });
    expect(await other('https://in.example/')).toMatchObject({ error: 'dns', ours: true });
    expect(await second).toMatchObject({ error: 'timeout', ours: false });
    expect(receiver.connections).toBe(0);
  });
});
