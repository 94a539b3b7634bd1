import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { webhookRequest } from '../../../adapters/http/webhook-request.ts';
import { generateSigningSecret } from '../../../domain/webhooks/signing-secret.ts';
import { root } from '../../../runtime/home.ts';
import { noise } from '../images.ts';

const execute = promisify(execFile);

/** @throws Error with what the program printed */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await execute(program, args, { cwd, timeout: 120_000 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}

/** The packed SDK, installed in a new project. */
export interface PackedSdk {
  /** The folder of the project. */
  readonly folder: string;
  /** What npm packed, by its path in the package. */
  readonly files: readonly string[];
  remove(): void;
}

export async function installPackedSdk(): Promise<PackedSdk> {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-sdk-'));
  // A copy, because tests that run beside this one build it too.
  const copy = join(folder, 'sdk');
  const isSource = (path: string): boolean => !['dist', 'node_modules'].includes(basename(path));
  cpSync(join(root, 'sdk'), copy, { recursive: true, filter: isSource });
  symlinkSync(join(root, 'sdk/node_modules'), join(copy, 'node_modules'));
  const packed = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], copy);
  // The output of the build comes first.
  const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
    { filename: string; files: { path: string }[] },
  ];
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'project', private: true, type: 'module' }),
  );
  await run(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--silent', join(folder, filename)],
    folder,
  );
  copyFileSync(join(import.meta.dirname, 'scenario.mjs'), join(folder, 'scenario.mjs'));
  return {
    folder,
    files: files.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes the program that runs the scenario against an API. @returns its name */
export async function writeScenario({ folder }: PackedSdk, baseUrl: string, apiKey: string): Promise<string> {
  const secret = generateSigningSecret();
  const event = { id: 'e', event: 'ping', created_at: '2026-03-01T09:30:00.000Z', data: {} };
  const { headers, body } = webhookRequest({
    url: 'https://receiver.example/',
    body: JSON.stringify(event),
    event: event.event,
    eventId: event.id,
    id: 'd',
    attempt: 1,
    at: new Date(),
    secret,
  });
  const png = (await noise(8, 8).png().toBuffer()).toString('base64');
  const given = { baseUrl, apiKey, png, webhook: { headers, body, secret } };
  writeFileSync(
    join(folder, 'main.mjs'),
    `import * as sdk from '@presswork/sdk';
import { scenario } from './scenario.mjs';
console.log(JSON.stringify(await scenario(sdk, ${JSON.stringify(given)})));
`,
  );
  return 'main.mjs';
}
