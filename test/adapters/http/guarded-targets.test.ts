import { closeClients, detour, postingTo, resolver } from './clients.ts';
import { closeReceivers, httpReceiver, type Receiver } from '../../support/receivers.ts';

afterEach(async () => {
  await closeClients();
  await closeReceivers();
});

const refusedFor = (error: string) => ({ outcome: 'failure', error });

describe('targets', () => {
  test.each([
    ['https://127.0.0.1:PORT', 'private_address'],
    ['https://0x7f.1:PORT', 'private_address'],
    ['https://[::1]:PORT', 'private_address'],
    ['https://[::ffff:127.0.0.1]:PORT', 'private_address'],
    ['https://localhost:PORT', 'private_address'],
    ['http://example.com', 'protocol'],
    ['https://user@example.com', 'protocol'],
    ['nonsense', 'protocol'],
  ])('%s is refused without a connection or a look-up', async (url, error) => {
    const receiver = await httpReceiver((_, response) => response.end());
    const lookup = resolver(['127.0.0.1']);
    expect(await postingTo([], { lookup })(url.replace('PORT', String(receiver.port)))).toMatchObject(
      refusedFor(error),
    );
    expect([receiver.connections, lookup.calls.length]).toEqual([0, 0]);
  });

  test('with plain http a name is resolved and checked as well, and so is the target of a redirect', async () => {
    const receiver = await httpReceiver((seen, response) =>
      seen.path === '/away'
        ? response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
        : response.end('a picture'),
    );
    const { reroute } = detour(receiver);
    const lookup = async (name: string) => [
      { address: name === 'inside.example' ? '10.0.0.1' : '93.184.216.34', family: 4 },
    ];
    const post = postingTo([], { lookup, reroute, targets: { plainHttp: true } });
    expect(await post('http://a.example')).toMatchObject({ outcome: 'response', status: 200 });
    expect(await post('http://a.example/away')).toMatchObject(refusedFor('private_address'));
    expect(await post('http://inside.example')).toMatchObject(refusedFor('private_address'));
  });

  test('private addresses are reached if the user of the program vouches for them', async () => {
    const other = await httpReceiver((_, response) => response.end());
    const receiver = await httpReceiver((_, response) =>
      response.writeHead(302, { location: other.url }).end(),
    );
    const post = postingTo([], { targets: { plainHttp: true, privateAddresses: true } });
    expect(await post(receiver.url)).toMatchObject({ outcome: 'response', status: 200 });
    expect(other.seen).toHaveLength(1);
  });

  test('a private address among public ones refuses the name', async () => {
    const lookup = resolver(['93.184.216.34', '10.0.0.1']);
    expect(await postingTo([], { lookup })('https://a.example')).toMatchObject(refusedFor('private_address'));
  });

  test('a rebinding resolver is asked once, and the connection goes to the checked address', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const { reroute, dialled } = detour(receiver);
    const lookup = resolver(['93.184.216.34'], ['127.0.0.1']);
    const post = postingTo([], { lookup, reroute });
    // The receiver speaks no TLS, so the exchange fails; only the dialled address matters.
    expect(await post('https://rebinding.example')).toMatchObject(refusedFor('tls'));
    expect({ asked: lookup.calls, dialled }).toEqual({
      asked: ['rebinding.example'],
      dialled: ['93.184.216.34'],
    });
    expect(await post('https://rebinding.example')).toMatchObject(refusedFor('private_address'));
    expect(dialled).toEqual(['93.184.216.34']);
  });

  test('an address in the URL is dialled as checked, without a look-up', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const { reroute, dialled } = detour(receiver);
    const lookup = resolver(['127.0.0.1']);
    await postingTo([], { lookup, reroute })('https://0x5d.184.55586');
    await postingTo([], { lookup, reroute })('https://[2606:4700:0::1111]');
    expect({ dialled, asked: lookup.calls }).toEqual({
      dialled: ['93.184.217.34', '2606:4700::1111'],
      asked: [],
    });
  });

  test('an allowed name is resolved once a request and connected to, with its own host header', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const lookup = resolver(['127.0.0.1']);
    const host = `hooks.test:${receiver.port}`;
    const post = postingTo([host], { lookup });
    for (const _ of [1, 2])
      expect(await post(`http://${host}/x`)).toMatchObject({ outcome: 'response', status: 200 });
    expect(lookup.calls).toEqual(['hooks.test', 'hooks.test']);
    expect(receiver.seen.map(({ headers }) => headers.host)).toEqual([host, host]);
  });

  test('the next checked address is tried if the first does not answer', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const host = `hooks.test:${receiver.port}`;
    const post = postingTo([host], { lookup: resolver(['127.0.0.2', '127.0.0.1']) });
    expect(await post(`http://${host}/`)).toMatchObject({ outcome: 'response', status: 200 });
  });

  test("the operator's own address may be private and plain, but carries no user info", async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const post = postingTo([]);
    expect(await post(receiver.url, { trusted: true })).toMatchObject({ outcome: 'response', status: 200 });
    const withUser = receiver.url.replace('//', '//a:b@');
    expect(await post(withUser, { trusted: true })).toMatchObject(refusedFor('protocol'));
  });
});

describe('redirects', () => {
  /** Answers the first path with a redirect, and everything else with 200. */
  const redirecting = (status: number, location: (own: Receiver) => string | undefined) => {
    const receiver: Promise<Receiver> = httpReceiver(async ({ path }, response) => {
      const to = location(await receiver);
      if (path === '/start')
        response.writeHead(status, to === undefined ? {} : { location: to }).end('moved');
      else response.end('here');
    });
    return receiver;
  };

  test.each([301, 302, 307, 308])('%d repeats method, body and headers', async (status) => {
    const other = await httpReceiver((_, response) => response.end());
    const receiver = await redirecting(status, () => `${other.url}/there?x=1`);
    const result = await postingTo([receiver, other])(`${receiver.url}/start`);
    expect(result).toMatchObject({ outcome: 'response', status: 200, url: `${other.url}/there?x=1` });
    expect(other.seen).toMatchObject([
      { method: 'POST', path: '/there?x=1', body: '{"a":1}', headers: { 'service-signature': 'v1=abc' } },
    ]);
    expect(other.seen[0]?.headers.host).toBe(`127.0.0.1:${other.port}`);
  });

  test.each(['/next', 'next', '?q', '//127.0.0.1:PORT/next'])(
    'a relative location is followed: %s',
    async (location) => {
      const receiver = await redirecting(302, (own) =>
        location.replace('PORT', String(own.port)).replace('?q', '/start2?q'),
      );
      expect(await postingTo([receiver])(`${receiver.url}/start`)).toMatchObject({
        outcome: 'response',
        status: 200,
      });
      expect(receiver.seen).toHaveLength(2);
    },
  );

  test('303 is a failure', async () => {
    const receiver = await redirecting(303, () => '/next');
    const result = await postingTo([receiver])(`${receiver.url}/start`);
    expect(result).toMatchObject({ ...refusedFor('redirect'), status: 303 });
    expect(receiver.seen).toHaveLength(1);
  });

  test('303 is followed for a GET, which stays the same request', async () => {
    const receiver = await redirecting(303, () => '/next');
    const result = await postingTo([receiver])(`${receiver.url}/start`, { method: 'GET', body: undefined });
    expect(result).toMatchObject({ outcome: 'response', status: 200 });
    expect(receiver.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /start', 'GET /next']);
  });

  test('a second redirect is a failure', async () => {
    const receiver = await redirecting(307, () => '/start');
    expect(await postingTo([receiver])(`${receiver.url}/start`)).toMatchObject({
      ...refusedFor('redirect'),
      status: 307,
    });
    expect(receiver.seen).toHaveLength(2);
  });

  test('the first one is a failure if redirects are not followed', async () => {
    const receiver = await redirecting(301, () => '/next');
    expect(await postingTo([receiver])(`${receiver.url}/start`, { redirects: 0 })).toMatchObject(
      refusedFor('redirect'),
    );
    expect(receiver.seen).toHaveLength(1);
  });

  test('a redirect without a location is an answer', async () => {
    const receiver = await redirecting(302, () => undefined);
    expect(await postingTo([receiver])(`${receiver.url}/start`)).toMatchObject({
      outcome: 'response',
      status: 302,
    });
  });

  test.each([
    ['http://example.com/', 'redirect'],
    ['ftp://example.com/', 'redirect'],
    ['https://user:pass@example.com/', 'redirect'],
    ['http://[', 'redirect'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'redirect'],
    ['https://127.0.0.1/', 'private_address'],
    ['https://2130706433/', 'private_address'],
    ['https://[::1]/', 'private_address'],
    ['https://169.254.169.254/latest', 'private_address'],
    ['https://localhost:1234/', 'private_address'],
    ['https://inside.example/', 'private_address'],
  ])('one to %.40s is a failure: %s', async (location, error) => {
    const receiver = await redirecting(302, () => location);
    const lookup = resolver(['10.1.2.3']);
    expect(await postingTo([receiver], { lookup })(`${receiver.url}/start`)).toMatchObject(refusedFor(error));
  });

  test('the target’s name is resolved and pinned again', async () => {
    const receiver = await redirecting(308, () => 'https://next.example/there');
    const lookup = resolver(['93.184.216.34'], ['127.0.0.1']);
    const { reroute, dialled } = detour(receiver);
    await postingTo([receiver], { lookup, reroute })(`${receiver.url}/start`);
    expect({ dialled, asked: lookup.calls }).toEqual({
      dialled: ['127.0.0.1', '93.184.216.34'],
      asked: ['next.example'],
    });
  });

  test('credentials are only sent to their origin', async () => {
    const other = await httpReceiver((_, response) => response.end());
    const receiver = await redirecting(307, () => other.url);
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'Service-Signature': 'v1=abc' };
    await postingTo([receiver, other])(`${receiver.url}/start`, { headers });
    expect(receiver.seen[0]?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'a=b' });
    expect(Object.keys(other.seen[0]!.headers)).not.toEqual(expect.arrayContaining(['authorization']));
    expect(other.seen[0]?.headers).not.toHaveProperty('cookie');
    expect(other.seen[0]?.headers).toHaveProperty('service-signature', 'v1=abc');
  });

  test("trust in the operator's address ends with its origin", async () => {
    const other = await httpReceiver((_, response) => response.end());
    const away = await redirecting(307, () => other.url);
    const home = await redirecting(307, () => '/next');
    const post = postingTo([]);
    expect(await post(`${away.url}/start`, { trusted: true })).toMatchObject(refusedFor('redirect'));
    expect(await post(`${home.url}/start`, { trusted: true })).toMatchObject({
      outcome: 'response',
      status: 200,
    });
    expect(other.connections).toBe(0);
  });
});
