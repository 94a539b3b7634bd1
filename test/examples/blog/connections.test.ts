import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBlog } from '../../../examples/blog/blog.ts';
import { fetchPublic } from '../../../examples/blog/content.ts';
import { logOfErrors } from '../../support/blog.ts';

let server: Server;
/** Of each request so far. */
let paths: string[];
/** Whether a request is cut instead of answered. */
let cuts: (number: number) => boolean;

beforeEach(async () => {
  paths = [];
  cuts = () => false;
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (cuts(paths.length)) request.socket.destroy();
    else response.end('A feed');
  });
  await listen(server);
});
afterEach(() => close(server));

const listen = (one: Server) => new Promise<void>((resolve) => void one.listen(0, '127.0.0.1', resolve));
const close = async (one: Server) => {
  one.closeAllConnections();
  await new Promise((resolve) => void one.close(resolve));
};
const addressOf = (one: Server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;

test('a file is asked for again if the connection that was kept open is closed', async () => {
  await (await fetchPublic(`${addressOf(server)}/rss.xml`))?.text();
  cuts = (number) => number === 2;
  const answer = await fetchPublic(`${addressOf(server)}/rss.xml`);
  expect(await answer?.text()).toBe('A feed');
  expect(paths).toHaveLength(3);
});

test('an API that is away costs a line of the log, which says why and shows no address', async () => {
  cuts = () => true;
  const blog = createBlog({ baseUrl: `${addressOf(server)}/v1`, apiKey: 'pk_live_x' });
  await listen(blog);
  const logged = logOfErrors();
  try {
    const answer = await fetch(`${addressOf(blog)}/preview/${'a'.repeat(43)}`);
    expect(answer.status).toBe(503);
    expect(logged.lines).toEqual([expect.stringMatching(/^CONNECTION_FAILED: There was no [^/\n]+\.$/)]);
  } finally {
    logged.restore();
    await close(blog);
  }
});
