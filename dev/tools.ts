import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { root, StartError } from './home.ts';

/** Where built tools are kept, from one start and one clone to the next. */
export const cacheFolder = (): string => resolve(process.env['PRESSWORK_CACHE'] || join(root, '.cache'));

const TEMPORAL = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const TEST_SERVER = 'io.temporal:temporal-test-server:1.38.0';

/** A program on PATH, or null. */
function onPath(name: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      continue;
    }
  }
  return null;
}

export interface Tool {
  readonly path: string;
  /** Where it was found, for the operator. */
  readonly origin: string;
}

/** Temporal's command line, which has the development server and its UI: from PATH, the cache, or built. */
export async function findTemporal(): Promise<Tool> {
  const installed = onPath('temporal');
  if (installed !== null) return { path: installed, origin: 'temporal on PATH' };
  return fromCacheOrBuilt('temporal', TEMPORAL, 'two to four minutes');
}

/** The S3 server of the embedded stack. */
export async function findObjectStore(): Promise<Tool> {
  const installed = onPath('versitygw');
  if (installed !== null) return { path: installed, origin: 'versitygw on PATH' };
  return fromCacheOrBuilt('versitygw', VERSITYGW, 'one to two minutes');
}

async function fromCacheOrBuilt(name: string, module: string, duration: string): Promise<Tool> {
  const folder = join(cacheFolder(), 'bin');
  const path = join(folder, name);
  if (existsSync(path)) return { path, origin: 'built earlier' };
  if (onPath('go') === null) {
    throw new StartError(
      `Go is needed once, to build ${name}: install it from your system's packages (golang) or put ${name} on PATH.`,
    );
  }
  mkdirSync(folder, { recursive: true });
  await runShowingProgress(
    `Building ${name} with Go, ${duration} the first time`,
    'go',
    ['install', module],
    {
      ...process.env,
      GOBIN: folder,
      CGO_ENABLED: process.env['CGO_ENABLED'] ?? '0',
    },
  );
  return { path, origin: 'built with Go' };
}

/** The time-skipping test server, through Maven: a script that starts it. */
export async function findTimeSkippingServer(): Promise<Tool> {
  const folder = join(cacheFolder(), 'temporal-test-server');
  const path = join(folder, 'temporal-test-server');
  if (existsSync(path)) return { path, origin: 'fetched earlier' };
  for (const [program, how] of [
    ['java', 'a JDK (openjdk-17-jre or later)'],
    ['mvn', 'Maven (maven)'],
  ] as const) {
    if (onPath(program) === null)
      throw new StartError(`The tests need ${how}: install it from your system's packages.`);
  }
  mkdirSync(folder, { recursive: true });
  const pom = join(folder, 'pom.xml');
  const [group, artifact, version] = TEST_SERVER.split(':');
  writeFileSync(
    pom,
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>presswork</groupId><artifactId>tools</artifactId><version>1</version><dependencies><dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency></dependencies></project>\n`,
  );
  const args = [
    '-q',
    '-B',
    '-f',
    pom,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${join(folder, 'lib')}`,
  ];
  await runShowingProgress(
    'Fetching the time-skipping Temporal test server with Maven',
    'mvn',
    args,
    process.env,
  );
  writeFileSync(
    path,
    `#!/bin/sh\nexec java -cp '${join(folder, 'lib')}/*' io.temporal.testserver.TestServer "$@"\n`,
    { mode: 0o755 },
  );
  return { path, origin: 'fetched with Maven' };
}

/** Runs a command and shows that it is under way; what it says is shown where it fails. */
function runShowingProgress(
  title: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const started = Date.now();
  console.log(`${title} …`);
  const ticking = setInterval(
    () => console.log(`${title} … ${Math.round((Date.now() - started) / 1000)} s`),
    15_000,
  );
  return new Promise((done, failed) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const note = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-4_000);
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    child.on('close', (code) => {
      clearInterval(ticking);
      if (code === 0) return done();
      failed(
        new StartError(`${command} ${args[0]} failed: ${said.trim().split('\n').slice(-3).join(' | ')}`),
      );
    });
  });
}

/** Whether a program can be run at all. */
export const works = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;
