import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server as SocketServer,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** One request as a receiver saw it. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** The number of the receiver's connection, from 1. */
  connection: number;
}

export interface Receiver {
  port: number;
  /** http://127.0.0.1:<port> */
  url: string;
  seen: Seen[];
  connections: number;
  /** Resolves when the sender has closed every connection. */
  allClosed(): Promise<void>;
}

const open: (Server | SocketServer)[] = [];

/** Closes the receivers of a test; call it after each. */
export async function closeReceivers(): Promise<void> {
  for (const server of open.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

type Answer = (request: Seen, response: ServerResponse) => void;

/** An HTTP receiver on loopback that records requests. */
export function httpReceiver(answer: Answer): Promise<Receiver> {
  return listen((recorded) => createServer(recording(recorded, answer)));
}

/** The same with TLS. */
export function tlsReceiver(identity: { key: string; cert: string }, answer: Answer): Promise<Receiver> {
  return listen((recorded) => createTlsServer(identity, recording(recorded, answer)));
}

/** A receiver of raw bytes, called with each socket after its first bytes have arrived. */
export function rawReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  return listen(() =>
    createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    }),
  );
}

async function listen(create: (recorded: Receiver) => Server | SocketServer): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const receiver: Receiver = {
    port: 0,
    url: '',
    seen: [],
    connections: 0,
    allClosed: async () => {
      await Promise.all(
        [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
      );
    },
  };
  const server = create(receiver);
  server.on('connection', (socket: Socket & { number?: number }) => {
    socket.number = ++receiver.connections;
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://127.0.0.1:${receiver.port}`;
  return receiver;
}

function recording(receiver: Receiver, answer: Answer): RequestListener {
  const numberOf = (socket: Socket & { number?: number; _parent?: { number?: number } }) =>
    socket.number ?? socket._parent?.number ?? 0;
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '', headers, socket } = request;
    const seen = {
      method,
      path,
      headers,
      body: Buffer.concat(chunks).toString(),
      connection: numberOf(socket),
    };
    receiver.seen.push(seen);
    answer(seen, response);
  };
}

const openssl = promisify(execFile);

/** A certificate authority for one test run, and a certificate it issued for `names` (such as `DNS:hooks.test`). */
export async function testAuthority(names: string): Promise<{ ca: string; key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'presswork-test-authority-'));
  const file = (name: string) => join(folder, name);
  const run = (...args: string[]) => openssl('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    await writeFile(file('names'), `subjectAltName=${names}\n`);
    await run(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=Test authority',
    );
    await run('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=receiver');
    const issued = [
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      'names',
    ];
    await run('x509', '-req', '-in', 'request.pem', ...issued, '-out', 'cert.pem');
    const [ca, key, cert] = await Promise.all(
      ['ca.pem', 'key.pem', 'cert.pem'].map((name) => readFile(file(name), 'utf8')),
    );
    return { ca: ca!, key: key!, cert: cert! };
  } finally {
    await rm(folder, { recursive: true });
  }
}
