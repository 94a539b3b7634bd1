import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import { createPayloadCodec, toJson } from '../../adapters/temporal/payload-codec.ts';
import { freePort } from '../../runtime/free-port.ts';
import { eventually } from '../support/eventually.ts';
import { runAdmin } from './administrator.ts';
import { endCommands, startCommand } from '../support/command.ts';

const UI = 'http://127.0.0.1:8233';
const key = randomBytes(32);
const env = { TEMPORAL_ENCRYPTION_KEY: key.toString('base64') };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'presswork-codec-'));
});
afterEach(endCommands);
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the server as an operator does. */
async function startServer(...args: string[]) {
  const port = await freePort();
  const command = startCommand(['admin', 'codec-server', '--port', `${port}`, ...args], {
    env: { PRESSWORK_HOME: folder, ...env },
  });
  await eventually('it listens', () => command.out().includes('\n'));
  const { url, ui } = JSON.parse(command.out()) as { url: string; ui: string };
  const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { url, ui, port, ask, command };
}

const sealed = async (value: unknown) => {
  const payload = defaultPayloadConverter.toPayload(value) as Payload;
  return (await createPayloadCodec([key]).encode([payload])).map(toJson);
};

const answered = async (response: Response): Promise<any> => {
  expect(response.status).toBe(200);
  return response.json();
};
const valueIn = (payload: { data: string }): unknown =>
  JSON.parse(Buffer.from(payload.data, 'base64').toString());

test('the UI decodes what the worker has encrypted, and encodes what a person sends', async () => {
  const { ui, ask } = await startServer();
  expect(ui).toBe(UI);
  const response = await ask('/decode', { payloads: await sealed({ id: 1 }) }, { origin: UI });
  expect(response.headers.get('access-control-allow-origin')).toBe(UI);
  const { payloads } = await answered(response);
  expect(payloads.map(valueIn)).toEqual([{ id: 1 }]);

  const encoded = await answered(await ask('/encode', { payloads }, { origin: UI }));
  expect(Buffer.from(encoded.payloads[0].metadata.encoding, 'base64').toString()).toBe('binary/encrypted');
  const again = await answered(await ask('/decode', encoded, { origin: 'http://localhost:8233' }));
  expect(again.payloads.map(valueIn)).toEqual([{ id: 1 }]);
});

test("the UI's origin may ask before it asks, and Temporal's command line has none", async () => {
  const { url, ask } = await startServer('--ui', 'https://temporal.example/some/page');
  const preflight = await fetch(`${url}/decode`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://temporal.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-namespace',
      'access-control-request-private-network': 'true',
    },
  });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': 'https://temporal.example',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': expect.stringContaining('x-namespace'),
    'access-control-allow-private-network': 'true',
  });
  expect((await ask('/decode', { payloads: await sealed('x') })).status).toBe(200);
});

test('a page of another origin decodes nothing', async () => {
  const { url, ask } = await startServer();
  const payloads = await sealed('x');
  for (const origin of ['https://evil.example', 'http://127.0.0.1:8234', 'null']) {
    const response = await ask('/decode', { payloads }, { origin });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await fetch(`${url}/decode`, { method: 'OPTIONS', headers: { origin } });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('with a token each request has to bring it', async () => {
  const file = join(folder, 'token');
  writeFileSync(file, 'the-token-of-the-proxy\n');
  const { ask } = await startServer('--token-file', file);
  const payloads = await sealed('x');
  for (const headers of [{}, { authorization: 'Bearer another' }, { origin: UI }])
    expect((await ask('/decode', { payloads }, headers as Record<string, string>)).status).toBe(401);
  const right = { authorization: 'Bearer the-token-of-the-proxy' };
  expect((await ask('/decode', { payloads }, right)).status).toBe(200);
});

test('it listens for other machines only with a token', async () => {
  const { code, stderr } = await runAdmin(['codec-server', '--host', '0.0.0.0'], env);
  expect(code).toBe(2);
  expect(stderr).toContain('--token-file');
});

test('without a key it does not start, and names the setting', async () => {
  const { code, stderr } = await runAdmin(['codec-server'], {});
  expect(code).toBe(1);
  expect(stderr).toMatch(/^TEMPORAL_ENCRYPTION_KEY: is not set/);
});

test('what it cannot read is a refusal that says why', async () => {
  const { ask } = await startServer();
  for (const body of ['{', '[]', '{}', { payloads: [{ data: 1 }] }])
    expect((await ask('/decode', body)).status).toBe(400);
  expect((await ask('/other', {})).status).toBe(404);
  const [payload] = await createPayloadCodec([randomBytes(32)]).encode([{ data: Buffer.from('x') }]);
  const unknown = await ask('/decode', { payloads: [toJson(payload!)] });
  expect(unknown.status).toBe(400);
  expect((await unknown.json()) as object).toMatchObject({ message: expect.stringContaining('has no key') });
});

test('a body is limited, and the server goes on', async () => {
  const { port, ask } = await startServer();
  // Sent in pieces, so that no length is declared.
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const post = request({ port, host: '127.0.0.1', path: '/decode', method: 'POST' }, (response) =>
      resolve(response.resume().statusCode),
    );
    post.on('error', reject);
    const piece = Buffer.alloc(2 ** 20, ' ');
    for (let sent = 0; sent < 10; sent += 1) post.write(piece);
    post.end();
  });
  expect(status).toBe(413);
  expect((await ask('/decode', { payloads: await sealed('x') })).status).toBe(200);
});

test('it ends when it is asked to, with connections open', async () => {
  const { ask, command } = await startServer();
  await ask('/decode', { payloads: [] });
  command.interrupt('SIGTERM');
  expect(await command.ended).toBe(0);
});
