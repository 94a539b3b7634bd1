import { closeClients, postingTo } from './clients.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';

afterEach(async () => {
  await closeClients();
  await closeReceivers();
});

test('a header that is repeated is one text', async () => {
  const receiver = await httpReceiver((_, response) => {
    response.setHeader('Content-Type', ['text/html', 'text/plain'] as unknown as string);
    response.setHeader('Retry-After', ['5', '6'] as unknown as string);
    response.setHeader('Content-Encoding', ['br', 'gzip'] as unknown as string);
    response.setHeader('X-Robots-Tag', ['otherbot: none', 'noindex, nofollow']);
    response.setHeader('Set-Cookie', ['a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'c=d']);
    response.setHeader('X-Once', 'yes');
    response.writeHead(200).end();
  });
  expect(await postingTo([receiver])(receiver.url)).toMatchObject({
    headers: {
      'content-type': 'text/html',
      'retry-after': '5',
      'content-encoding': 'br, gzip',
      'x-robots-tag': 'otherbot: none\nnoindex, nofollow',
      'set-cookie': 'a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT\nc=d',
      'x-once': 'yes',
    },
  });
});

test('of several places that a redirect leads to, the first counts', async () => {
  const receiver = await httpReceiver(({ path }, response) => {
    if (path === '/there') response.end();
    else response.writeHead(307, { location: ['/there', '/elsewhere'] as unknown as string }).end();
  });
  const result = await postingTo([receiver])(receiver.url);
  expect(result).toMatchObject({ outcome: 'response', status: 200, url: `${receiver.url}/there` });
});
