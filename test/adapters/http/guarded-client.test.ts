import { setTimeout as sleep } from 'node:timers/promises';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { eventually } from '../../support/eventually.ts';
import { closeClients, postingTo, resolver } from './clients.ts';
import { closeReceivers, httpReceiver, rawReceiver } from '../../support/receivers.ts';

afterEach(async () => {
  await closeClients();
  await closeReceivers();
});

test('a request arrives unchanged, and its answer is returned', async () => {
  const receiver = await httpReceiver((_, response) =>
    response.writeHead(202, { 'x-answer': 'yes' }).end('thanks'),
  );
  const post = postingTo([receiver], { userAgent: 'svc-webhook/1' });
  const result = await post(`${receiver.url}/hook?a=1#part`, {
    readBody: true,
    body: Buffer.from('{"ü":1}'),
  });
  expect(result).toMatchObject({ outcome: 'response', status: 202, bodyTruncated: false });
  expect(result).toMatchObject({ headers: { 'x-answer': 'yes' }, url: `${receiver.url}/hook?a=1#part` });
  expect(result.outcome === 'response' && result.body?.toString()).toBe('thanks');
  expect(receiver.seen).toMatchObject([{ method: 'POST', path: '/hook?a=1', body: '{"ü":1}' }]);
  expect(receiver.seen[0]?.headers).toMatchObject({
    host: `127.0.0.1:${receiver.port}`,
    'user-agent': 'svc-webhook/1',
    'service-signature': 'v1=abc',
  });
});

test('an error status is an answer', async () => {
  const receiver = await httpReceiver((_, response) => response.writeHead(500).end());
  expect(await postingTo([receiver])(receiver.url)).toMatchObject({ outcome: 'response', status: 500 });
});

test("a request's own user agent wins, and it cannot change the host", async () => {
  const receiver = await httpReceiver((_, response) => response.end());
  await postingTo([receiver])(receiver.url, { headers: { 'User-Agent': 'own/1', Host: 'other.test' } });
  expect(receiver.seen[0]?.headers).toMatchObject({
    'user-agent': 'own/1',
    host: `127.0.0.1:${receiver.port}`,
  });
});

describe('interim responses that nobody asked for are passed over', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  test.each([
    ['100 Continue', [CONTINUE, OK], 200],
    ['the same twice', [CONTINUE, CONTINUE, OK], 200],
    ['with headers', ['HTTP/1.1 100 Continue\r\nx-a: b\r\ncontent-length: 5\r\n\r\n', OK], 200],
    ['in one packet with the answer', [CONTINUE + OK], 200],
    ['102 Processing', ['HTTP/1.1 102 Processing\r\n\r\n', OK], 200],
    ['103 Early Hints', ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', OK], 200],
    ['199', ['HTTP/1.1 199 Later\r\n\r\n', OK], 200],
    ['before an error', [CONTINUE, 'HTTP/1.1 500 Sorry\r\ncontent-length: 0\r\n\r\n'], 500],
    ['before nothing', [CONTINUE, 'HTTP/1.1 204 None\r\n\r\n'], 204],
  ])('%s', async (_, packets, status) => {
    const receiver = await rawReceiver(async (socket) => {
      for (const packet of packets) {
        socket.write(packet);
        await sleep(5);
      }
      socket.end();
    });
    const result = await postingTo([receiver])(receiver.url, { readBody: true });
    expect(result).toMatchObject({ outcome: 'response', status });
    if (result.outcome === 'response') expect(result.body?.toString()).toBe(status === 200 ? 'ok' : '');
  });

  test('before a redirect', async () => {
    const other = await httpReceiver((_, response) => response.end());
    const receiver = await rawReceiver((socket) =>
      socket.end(`${CONTINUE}HTTP/1.1 307 There\r\nlocation: ${other.url}\r\ncontent-length: 0\r\n\r\n`),
    );
    expect(await postingTo([receiver, other])(receiver.url)).toMatchObject({ status: 200 });
    expect(other.seen).toMatchObject([{ method: 'POST', body: '{"a":1}' }]);
  });

  test('on a connection that is kept', async () => {
    const receiver = await httpReceiver((_, response) => {
      response.writeContinue();
      response.end('ok');
    });
    const post = postingTo([receiver]);
    for (const _ of [1, 2, 3]) {
      expect(await post(receiver.url, { readBody: true })).toMatchObject({ status: 200 });
      await sleep(20);
    }
    expect(receiver.connections).toBe(1);
  });
});

test('a malformed header is the caller’s mistake and throws', async () => {
  const receiver = await httpReceiver((_, response) => response.end());
  await expect(postingTo([receiver])(receiver.url, { headers: { 'x-a': 'b\r\nc: d' } })).rejects.toThrow(
    TypeError,
  );
});

describe('time', () => {
  test('a missing head is a timeout, and closes the connection', async () => {
    const receiver = await httpReceiver(() => {});
    const result = await postingTo([receiver])(receiver.url, { timeoutMs: 100 });
    expect(result).toMatchObject({
      outcome: 'failure',
      error: 'timeout',
      detail: 'no response within 100 ms',
    });
    await receiver.allClosed();
  });

  test('a head that trickles is a timeout', async () => {
    const receiver = await rawReceiver(async (socket) => {
      for (const byte of 'HTTP/1.1 200 OK\r\nx-long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') {
        if (socket.destroyed) return;
        socket.write(byte);
        await sleep(20);
      }
    });
    expect(await postingTo([receiver])(receiver.url, { timeoutMs: 150 })).toMatchObject({ error: 'timeout' });
  });

  test('interim responses do not extend the time', async () => {
    const receiver = await rawReceiver(async (socket) => {
      while (!socket.destroyed) {
        socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
        await sleep(20);
      }
    });
    expect(await postingTo([receiver])(receiver.url, { timeoutMs: 150 })).toMatchObject({ error: 'timeout' });
  });

  test('the look-up counts towards the time', async () => {
    const post = postingTo([], { lookup: () => new Promise(() => {}) });
    expect(await post('https://slow.example', { timeoutMs: 50 })).toMatchObject({ error: 'timeout' });
  });

  test('the time-out covers the redirect and the second request', async () => {
    const receiver = await httpReceiver(({ path }, response) => {
      setTimeout(() => response.writeHead(path === '/' ? 302 : 200, { location: '/next' }).end(), 400);
    });
    const post = postingTo([receiver]);
    // On a busy machine the time may be over before the redirect.
    await eventually('it is redirected in time', async () => {
      receiver.seen.length = 0;
      expect(await post(receiver.url, { timeoutMs: 600 })).toMatchObject({ error: 'timeout' });
      return receiver.seen.map(({ path }) => path).join() === '/,/next';
    });
  });

  test('a trickling body that is not read delays nothing, and is cut off', async () => {
    let isCut = false;
    const receiver = await rawReceiver(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      for (; !socket.destroyed; await sleep(20)) socket.write('.');
      isCut = true;
    });
    const result = await postingTo([receiver])(receiver.url);
    expect(result).toMatchObject({ outcome: 'response', status: 200 });
    expect(isCut).toBe(false);
    await receiver.allClosed();
  });

  test('a trickling body that is read is a timeout', async () => {
    const receiver = await rawReceiver(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      for (; !socket.destroyed; await sleep(20)) socket.write('.');
    });
    const result = await postingTo([receiver])(receiver.url, { readBody: true, timeoutMs: 200 });
    expect(result).toMatchObject({ outcome: 'failure', error: 'timeout' });
    await receiver.allClosed();
  });
});

describe('the response body', () => {
  const endless = () =>
    rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    });

  test('is read up to the limit and cut there, and the connection is destroyed', async () => {
    const receiver = await endless();
    const result = await postingTo([receiver])(receiver.url, { readBody: true });
    expect(result).toMatchObject({ outcome: 'response', bodyTruncated: true });
    expect(result.outcome === 'response' && result.body?.length).toBe(65_536);
    await receiver.allClosed();
  });

  test('of exactly the limit is whole', async () => {
    const receiver = await httpReceiver((_, response) => response.end('x'.repeat(1_000)));
    const result = await postingTo([receiver])(receiver.url, { readBody: true, maxResponseBytes: 1_000 });
    expect(result).toMatchObject({ bodyTruncated: false, body: Buffer.from('x'.repeat(1_000)) });
  });

  test('closes the connection at the limit if it is not read', async () => {
    const receiver = await endless();
    expect(await postingTo([receiver])(receiver.url)).toMatchObject({ outcome: 'response', status: 200 });
    await receiver.allClosed();
  });

  test('that breaks off is a failure only if it is read', async () => {
    const receiver = await rawReceiver((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    );
    expect(await postingTo([receiver])(receiver.url)).toMatchObject({ outcome: 'response', status: 200 });
    expect(await postingTo([receiver])(receiver.url, { readBody: true })).toMatchObject({
      outcome: 'failure',
    });
  });
});

describe('receivers that break', () => {
  test.each([
    ['resets the connection', '', 'connection'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['sends a malformed head', 'HTTP/1.1 two hundred\r\n\r\n', 'protocol'],
    ['sends a header without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}`, 'protocol'],
    [
      'upgrades unasked',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'protocol',
    ],
    ['switches protocols without a word', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'protocol'],
    ['has a status that there is not', 'HTTP/1.1 099 Low\r\n\r\n', 'protocol'],
  ])('one that %s', async (_, answer, error) => {
    const receiver = await rawReceiver((socket) =>
      answer === '' ? socket.resetAndDestroy() : socket.end(answer),
    );
    expect(await postingTo([receiver])(receiver.url)).toMatchObject({ outcome: 'failure', error });
  });

  test('one that closes the connection without an answer', async () => {
    const receiver = await rawReceiver((socket) => socket.end());
    expect(await postingTo([receiver])(receiver.url)).toMatchObject({
      outcome: 'failure',
      error: 'connection',
    });
  });

  test('one that is not there', async () => {
    const receiver = await httpReceiver(() => {});
    await closeReceivers();
    const result = await postingTo([receiver])(receiver.url);
    expect(result).toMatchObject({
      outcome: 'failure',
      error: 'connection',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('a name that does not resolve', async () => {
    const lookup = () =>
      Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
    expect(await postingTo([], { lookup })('https://a.example')).toMatchObject({
      outcome: 'failure',
      error: 'dns',
    });
    expect(await postingTo([], { lookup: resolver([]) })('https://a.example')).toMatchObject({
      error: 'dns',
    });
  });

  test('the failure contains nothing of the URL', async () => {
    const receiver = await rawReceiver((socket) => socket.resetAndDestroy());
    const result = await postingTo([receiver])(`${receiver.url}/?token=hidden`);
    expect(JSON.stringify(result)).not.toContain('hidden');
  });
});

describe('connections', () => {
  test('are reused under one key only', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const post = postingTo([receiver]);
    for (const isolationKey of ['site-1', 'site-1', 'site-2', 'site-1', 'site-2']) {
      await post(receiver.url, { isolationKey, readBody: true });
      // The connection is free a turn of the event loop later.
      await sleep(20);
    }
    expect(receiver.seen.map(({ connection }) => connection)).toEqual([1, 1, 2, 1, 2]);
  });

  test('are closed after a few idle seconds', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    await postingTo([receiver])(receiver.url);
    await receiver.allClosed();
  });

  test('are kept idle in a limited number', async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const post = postingTo([receiver], { maxIdle: 2 });
    for (const isolationKey of ['a', 'b', 'c', 'a']) {
      await post(receiver.url, { isolationKey, readBody: true });
    }
    expect(receiver.connections).toBe(4);
  });

  test('a limit of idle connections lets a request finish', async () => {
    const receiver = await httpReceiver(({ path }, response) => {
      setTimeout(() => response.end(), path === '/slow' ? 200 : 0);
    });
    const post = postingTo([receiver], { maxIdle: 1 });
    const slow = post(`${receiver.url}/slow`, { isolationKey: 'a' });
    await post(receiver.url, { isolationKey: 'b' });
    expect(await slow).toMatchObject({ outcome: 'response', status: 200 });
  });

  test('requests to a slow receiver do not wait for each other', async () => {
    const receiver = await httpReceiver(({ path }, response) => void (path === '/hang' || response.end()));
    const post = postingTo([receiver]);
    const hanging = Array.from({ length: 20 }, () => post(`${receiver.url}/hang`, { timeoutMs: 500 }));
    expect(await post(receiver.url)).toMatchObject({ outcome: 'response', status: 200 });
    expect(new Set((await Promise.all(hanging)).map((result) => result.outcome))).toEqual(
      new Set(['failure']),
    );
  });

  test('closing the client ends the requests in flight', async () => {
    const receiver = await httpReceiver(() => {});
    const client = createGuardedClient();
    const url = receiver.url;
    const under = client.request({
      url,
      method: 'GET',
      redirects: 0,
      isolationKey: 'a',
      readBody: true,
      trusted: true,
    });
    await eventually('it has arrived', () => receiver.seen.length === 1);
    await client.close();
    expect(await under).toMatchObject({ outcome: 'failure', error: 'connection' });
    await receiver.allClosed();
  });
});

test('no proxy of the environment is used', async () => {
  const receiver = await httpReceiver((_, response) => response.end());
  const proxy = await httpReceiver((_, response) => response.writeHead(502).end());
  const settings = {
    HTTP_PROXY: proxy.url,
    http_proxy: proxy.url,
    ALL_PROXY: proxy.url,
    NODE_USE_ENV_PROXY: '1',
  };
  const before = { ...process.env };
  Object.assign(process.env, settings);
  try {
    expect(await postingTo([receiver])(receiver.url)).toMatchObject({ outcome: 'response', status: 200 });
    expect(proxy.connections).toBe(0);
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name];
    Object.assign(process.env, before);
  }
});
