import { connect as connectHttp2, createSecureServer } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Server } from 'node:tls';

/** A certificate and its key, in PEM. */
interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** TLS in front of a Temporal server. */
export interface TemporalProxy {
  /** `host:port` */
  readonly address: string;
  /** Breaks the connections that there are. */
  cut(): void;
  close(): Promise<void>;
}

const listen = async (server: Server | ReturnType<typeof createSecureServer>, sockets: Set<Socket>) => {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
};

/** Takes only clients with a certificate of an authority. */
export async function certificateProxy(
  target: string,
  { key, cert }: Identity,
  clientAuthority: string,
): Promise<TemporalProxy & { trust(authority: string): void }> {
  const [host = '', port = ''] = target.split(':');
  const secure = { key, cert, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  const server = createServer({ ...secure, ca: clientAuthority }, (client) => {
    const upstream = connect(Number(port), host).setNoDelay(true);
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.on('tlsClientError', () => {});
  const proxy = await listen(server, new Set());
  return { ...proxy, trust: (authority) => server.setSecureContext({ key, cert, ca: authority }) };
}

const UNAUTHENTICATED = '16';
const PERMISSION_DENIED = '7';

/** Takes only calls with an API key, and refuses the paths in `forbidden`, as Temporal Cloud does with an operator's. */
export async function apiKeyProxy(
  target: string,
  { key, cert }: Identity,
  apiKey: string,
  forbidden = /^$/,
): Promise<TemporalProxy & { accept(apiKey: string): void; readonly calls: readonly string[] }> {
  const upstream = connectHttp2(`http://${target}`);
  upstream.on('error', () => {});
  const server = createSecureServer({ key, cert });
  const calls: string[] = [];
  let accepted = apiKey;
  server.on('sessionError', () => {});
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {});
    const path = headers[':path'] ?? '';
    calls.push(path);
    const refuse = (status: string): void =>
      stream.respond(
        {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': status,
          'grpc-message': 'refused',
        },
        { endStream: true },
      );
    if (headers.authorization !== `Bearer ${accepted}`) return refuse(UNAUTHENTICATED);
    if (forbidden.test(path)) return refuse(PERMISSION_DENIED);
    const { ':authority': _authority, ':scheme': _scheme, ...onward } = headers;
    const call = upstream.request(onward);
    const trailers = new Promise<IncomingHttpHeaders>((resolve) => call.once('trailers', resolve));
    call.on('error', () => stream.close());
    stream.on('aborted', () => call.close());
    stream.pipe(call);
    call.once('response', (answer, flags) => {
      // Node's flag for a head without a body, END_STREAM.
      if ((flags & 1) === 1) return stream.respond(answer, { endStream: true });
      stream.respond(answer, { waitForTrailers: true });
      stream.once('wantTrailers', () => void trailers.then((values) => stream.sendTrailers(values)));
      call.pipe(stream);
    });
  });
  const proxy = await listen(server, new Set());
  return {
    ...proxy,
    calls,
    accept: (newKey) => void (accepted = newKey),
    async close() {
      upstream.destroy();
      await proxy.close();
    },
  };
}
