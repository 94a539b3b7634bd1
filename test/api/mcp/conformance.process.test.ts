import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify, stripVTControlCharacters } from 'node:util';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { buildAgent } from '../../support/approvals.ts';
import { buildTenant } from '../../support/builders.ts';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const run = promisify(execFile);

const versions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
type Version = (typeof versions)[number];

/** The scenarios that any server can pass. */
const lists = ['tools-list', 'resources-list', 'prompts-list'];
const handshake = ['server-initialize', 'ping'];
const ofHttp = ['server-sse-multiple-streams', 'dns-rebinding-protection'];
const runnable: Record<Version, readonly string[]> = {
  '2025-06-18': [...lists, ...handshake],
  '2025-11-25': [...lists, ...handshake, ...ofHttp],
  '2026-07-28': [
    ...lists,
    ...ofHttp,
    'caching',
    'http-header-validation',
    'input-required-result-ignore-extra-params',
    'input-required-result-unsupported-methods',
    'sep-2164-resource-not-found',
    'server-stateless',
  ],
};

/** Checks within those that need what the server has not. */
const excepted: readonly string[] = [
  // A tool of the suite's reference server, test_missing_capability.
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  // Subscriptions: nothing that is listed changes but with the rights of the key (api/mcp/README.md).
  'sep-2575-server-sends-subscription-ack',
  'sep-2575-server-tags-subscription-id',
];

/** Scenarios that call tools, prompts and resources of the suite's own reference server, such as test_simple_text. */
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
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-missing-input-response',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
  'input-required-result-validate-input',
];

/** Scenarios of capabilities that the server does not claim (api/mcp/README.md). */
const ofOtherCapabilities = [
  'logging-set-level',
  'completion-complete',
  'resources-subscribe',
  'resources-unsubscribe',
  // Sessions, and streams that a client comes back to: the server keeps nothing between two requests.
  'server-session-lifecycle',
  'server-sse-polling',
  // Arguments in headers: no tool declares any.
  'http-custom-header-server-validation',
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
  known = [...stdout.matchAll(/^ {2}- (\S+) \[\d/gm)].map(([, name = '']) => name);
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await api.close();
});

test('every scenario of the suite runs, or is left out for a reason', () => {
  const run = new Set(Object.values(runnable).flat());
  expect([...run, ...ofReferenceServer, ...ofOtherCapabilities].sort()).toEqual([...known].sort());
});

const cases = versions.flatMap((version) =>
  runnable[version].map((scenario) => [version, scenario] as const),
);

test.each(cases)('%s: the official scenario %s passes', async (version, scenario) => {
  const given = ['server', '--url', url, '--scenario', scenario, '--spec-version', version];
  const { stdout } = await run(process.execPath, [SUITE, ...given]).catch(
    (failure: { stdout: string }) => failure,
  );
  const checks = [
    ...stripVTControlCharacters(stdout).matchAll(/^\S+ \[(\S+) *\] (SUCCESS|FAILURE|WARNING|INFO)/gm),
  ];
  const failed = checks.filter(([, id = '', outcome]) => outcome === 'FAILURE' && !excepted.includes(id));
  expect([checks.length > 0, failed.map(([, id]) => id)]).toEqual([true, []]);
});
