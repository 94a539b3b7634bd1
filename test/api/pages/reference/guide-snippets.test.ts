import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signStandardWebhook, signWebhook } from '../../../../adapters/http/webhook-signature.ts';

const guide = readFileSync(
  new URL('../../../../api/pages/reference/guide/webhooks.md', import.meta.url),
  'utf8',
);

function snippet(label: string): string {
  const [, code] = new RegExp(`^\`\`\`\\w+ ${label}\n([^]*?)^\`\`\``, 'm').exec(guide) ?? [];
  if (code === undefined) throw new Error(`no snippet ${label}`);
  return code;
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq';
const id = '01a1fcb8-8bf0-7159-90b0-b85968dda91e';
const body = '{"id":"01a1fcb8-8bf0-7159-90b0-b85968dda91e","event":"ping","data":{}}';

const headersAt = (timestamp: number): Record<string, string> => ({
  'service-signature': signWebhook(body, timestamp, secret),
  'service-timestamp': String(timestamp),
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signStandardWebhook(body, id, timestamp, secret),
});

const now = Math.floor(Date.now() / 1_000);
const genuine = headersAt(now);
/** [what it is, body, headers, whether it is genuine] */
const deliveries: readonly (readonly [string, string, Record<string, string>, boolean])[] = [
  ['as sent', body, genuine, true],
  ['with another body', body.replace('ping', 'pong'), genuine, false],
  ['too old', body, headersAt(now - 302), false],
  ['too new', body, headersAt(now + 400), false],
  ['without signatures', body, { 'service-timestamp': String(now), 'webhook-timestamp': String(now) }, false],
  [
    'with another time',
    body,
    { ...genuine, 'service-timestamp': `${now - 1}`, 'webhook-timestamp': `${now - 1}` },
    false,
  ],
  ['without headers', body, {}, false],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'presswork-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['Node', 'Standard Webhooks'])('the code of the guide for %s knows genuine deliveries', (label) => {
  const file = join(folder, `${label.replace(' ', '-')}.mjs`);
  const asked = JSON.stringify(deliveries.map(([, sent, headers]) => [sent, headers]));
  writeFileSync(
    file,
    `${snippet(label)}
const said = ${asked}.map(([body, headers]) => isGenuine(Buffer.from(body), headers, '${secret}'));
console.log(JSON.stringify(said));`,
  );
  const said = JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' })) as boolean[];
  expect(said.map((each, index) => [deliveries[index]?.[0], each])).toEqual(
    deliveries.map(([what, , , isGenuine]) => [what, isGenuine]),
  );
});

const hasPython = (): boolean => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

(hasPython() ? test : test.skip)('the code of the guide for Python knows genuine deliveries', () => {
  const file = join(folder, 'receiver.py');
  const asked = JSON.stringify(deliveries.map(([, sent, headers]) => [sent, headers]));
  writeFileSync(
    file,
    `import json
${snippet('Python')}
for body, headers in json.loads('''${asked.replaceAll('\\', '\\\\')}'''):
    print("true" if is_genuine(body.encode(), headers, "${secret}") else "false")`,
  );
  const said = execFileSync('python3', [file], { encoding: 'utf8' }).trim().split('\n');
  expect(said).toEqual(deliveries.map(([, , , isGenuine]) => String(isGenuine)));
});
