import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { buildAgent } from '../../support/approvals.ts';
import { buildTenant } from '../../support/builders.ts';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const run = promisify(execFile);

/** Scenarios of the suite that call tools, prompts and resources of its own reference server, such as test_simple_text. */
const ofReferenceServer = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

/** Scenarios of capabilities that the server does not claim (docs/decisions/0120). */
const ofOtherCapabilities = [
  'logging-set-level',
  'completion-complete',
  'resources-subscribe',
  'resources-unsubscribe',
  // Streams that a client comes back to: the server keeps nothing between two requests.
  'server-sse-polling',
];

let api: TestApi;
let proxy: Server;
let url: string;
let known: readonly string[];

beforeAll(async () => {
  api = await startApi();
  const agent = (await buildAgent(api, await buildTenant(api.db))).secret;
  // The suite sends no key, and calls the server by the address of the proxy.
  proxy = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${agent}` };
    const passed = request(
      new URL(from.url ?? '/', api.origin),
      { method: from.method, headers },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    from.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const { stdout } = await run(process.execPath, [SUITE, 'list', '--server']);
  known = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await api.close();
});

const runnable = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

test('the scenarios of the suite are those that run and those that are left out', () => {
  expect([...runnable, ...ofReferenceServer, ...ofOtherCapabilities].sort()).toEqual([...known].sort());
});

test.each(runnable)(
  'the official scenario %s passes',
  async (scenario) => {
    const { stdout } = await run(process.execPath, [
      SUITE,
      'server',
      '--url',
      url,
      '--scenario',
      scenario,
    ]).catch((failure: { stdout: string }) => failure);
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
  },
  30_000,
);
