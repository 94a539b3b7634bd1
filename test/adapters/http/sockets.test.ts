import { Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import { eventually } from '../../support/eventually.ts';
import { closeClients, postingTo } from './clients.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';

afterEach(async () => {
  await closeClients();
  await closeReceivers();
});

test('a connection closed for being idle is freed from memory', async () => {
  const receiver = await httpReceiver((_, response) => response.end());
  const post = postingTo([receiver]);
  const before = queryObjects(Socket, { format: 'count' });
  for (let key = 0; key < 40; key += 1)
    expect((await post(receiver.url, { isolationKey: `site-${key}` })).outcome).toBe('response');
  const left = (): number => queryObjects(Socket, { format: 'count' }) - before;
  await eventually('most of them are freed', () => left() < 20, 500);
});
