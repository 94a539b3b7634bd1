import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** The reply of a DNS server of the tests: bytes, or nothing. */
export type NameAnswer = (question: Buffer) => Buffer | undefined;

export interface NameServer {
  /** `address:port` */
  address: string;
  /** The names of the received questions. */
  asked: string[];
}

const open: Socket[] = [];

/** Closes the name servers of a test; call it after each. */
export function closeNameServers(): void {
  for (const server of open.splice(0)) server.close();
}

/** A DNS server over UDP on loopback. */
export async function nameServer(answer: NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4');
  const server: NameServer = { address: '', asked: [] };
  socket.on('message', (question, from) => {
    server.asked.push(nameIn(question));
    const reply = answer(question);
    if (reply) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  open.push(socket);
  server.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`;
  return server;
}

/** The name that a question is about. */
export function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; question[at]; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return labels.join('.').toLowerCase();
}

/**
 * Answers names with their IPv4 addresses; a name that is not in the list hangs, and one without addresses is unknown.
 */
export const knowing =
  (names: Readonly<Record<string, readonly string[]>>): NameAnswer =>
  (question) => {
    const addresses = names[nameIn(question)];
    return addresses && reply(question, addresses);
  };

function reply(question: Buffer, addresses: readonly string[]): Buffer {
  let end = 12;
  while (question[end]) end += question[end]! + 1;
  end += 5;
  const asksForV4 = question.readUInt16BE(end - 4) === 1;
  const records = asksForV4 ? addresses : [];
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  const written = records.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...written]);
}
