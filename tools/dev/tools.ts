import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { runTool } from './run-tool.ts';
import { fetchTimeSkippingServer, PROGRAM } from './time-skipping-server.ts';

/** Where tools are cached, shared by all starts and clones. */
export const cacheFolder = (): string => resolve(process.env['PRESSWORK_CACHE'] || join(root, '.cache'));

interface GoProgram {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  readonly duration: string;
}

const temporalCli: GoProgram = {
  name: 'temporal',
  module: 'github.com/temporalio/cli/cmd/temporal',
  version: 'v1.5.1',
  duration: 'two to four minutes',
};
const objectStore: GoProgram = {
  name: 'versitygw',
  module: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.8.0',
  duration: 'one to two minutes',
};
const kustomize: GoProgram = {
  name: 'kustomize',
  module: 'sigs.k8s.io/kustomize/kustomize/v5',
  version: 'v5.7.1',
  duration: 'a minute',
};
/** Has the schemas of Kubernetes up to 1.30 in it. */
const manifestValidator: GoProgram = {
  name: 'kubectl-validate',
  module: 'sigs.k8s.io/kubectl-validate',
  version: 'v0.0.4',
  duration: 'one to two minutes',
};
/** Stripe's API as its own description has it: what it refuses, Stripe refuses. */
const paymentsMock: GoProgram = {
  name: 'stripe-mock',
  module: 'github.com/stripe/stripe-mock',
  version: 'v0.203.0',
  duration: 'half a minute',
};
const TEST_SERVER = { group: 'io.temporal', artifact: 'temporal-test-server', version: '1.38.0' };
/** Its folder if Maven fetched it. */
const MAVEN_FOLDER = 'time-skipping-server';

/** Where Temporal's SDK downloads from, and the time limit. */
const SDK_SOURCE = 'https://temporal.download/';
const REACHABLE_MS = 3_000;
const DOWNLOAD_MS = 180_000;

export function onPath(name: string): string | null {
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

/**
 * Temporal's command line, which contains the development server and its UI: from PATH, the cache, its SDK, or built.
 */
export async function findTemporal(): Promise<Tool> {
  const { name, version } = temporalCli;
  return (
    installed(name) ??
    cached(temporalCli) ??
    (await downloadedBySdk(name, version)) ??
    (await built(temporalCli))
  );
}

/** The S3 server of the embedded stack. */
export async function findObjectStore(): Promise<Tool> {
  return installed(objectStore.name) ?? cached(objectStore) ?? (await built(objectStore));
}

/** What checks requests to Stripe by its description, or null if it is nowhere to be had: only one test asks it. */
export async function findPaymentsMock(): Promise<Tool | null> {
  const found = installed(paymentsMock.name) ?? cached(paymentsMock);
  if (found !== null) return found;
  try {
    return await built(paymentsMock);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.log(`Requests to Stripe are not checked by ${paymentsMock.name}: ${error.message}`);
    return null;
  }
}

/** The command that renders a folder of Kubernetes manifests, its last argument, and the one that checks manifests by schema. @throws StartError without Go */
export async function findManifestTools(): Promise<{
  readonly render: readonly [string, string];
  readonly validate: string;
}> {
  const kubectl = onPath('kubectl');
  const own = async (program: GoProgram): Promise<string> =>
    (installed(program.name) ?? cached(program) ?? (await built(program))).path;
  return {
    render: kubectl === null ? [await own(kustomize), 'build'] : [kubectl, 'kustomize'],
    validate: await own(manifestValidator),
  };
}

export async function findTimeSkippingServer(): Promise<Tool> {
  const { artifact, version } = TEST_SERVER;
  const fetched = join(toolFolder(MAVEN_FOLDER, version), PROGRAM);
  if (existsSync(fetched)) return keptTool(fetched);
  if (onPath('java') !== null && onPath('mvn') !== null) return fetchedByMaven();
  const earlier = join(toolFolder(artifact, version), artifact);
  if (existsSync(earlier)) return keptTool(earlier);
  const downloaded = await downloadedBySdk(artifact, version, 'default');
  if (downloaded !== null) return downloaded;
  throw new StartError(
    "The tests need Java and Maven: install them from your system's packages (default-jre-headless, maven).",
  );
}

const keptTool = (path: string): Tool => ({ path, origin: 'kept from an earlier run' });

/** The version is part of the path, so that a newer version is installed. */
const toolFolder = (name: string, version: string): string => join(cacheFolder(), `${name}-${version}`);

function installed(name: string): Tool | null {
  const path = onPath(name);
  return path === null ? null : { path, origin: `${name} on PATH` };
}

function cached({ name, version }: GoProgram): Tool | null {
  const path = join(toolFolder(name, version), name);
  return existsSync(path) ? { path, origin: 'kept from an earlier start' } : null;
}

async function built({ name, module, version, duration }: GoProgram): Promise<Tool> {
  const go = onPath('go');
  if (go === null) {
    throw new StartError(
      `Go is needed once, to build ${name}: install it from your system's packages (golang) or put ${name} on PATH.`,
    );
  }
  const folder = await prepared(name, version, (building) =>
    runTool(`Building ${name} with Go, ${duration} the first time`, go, ['install', `${module}@${version}`], {
      ...process.env,
      GOBIN: building,
      CGO_ENABLED: process.env['CGO_ENABLED'] ?? '0',
    }),
  );
  return { path: join(folder, name), origin: 'built with Go' };
}

async function downloadedBySdk(name: string, version: string, wanted = version): Promise<Tool | null> {
  try {
    await fetch(SDK_SOURCE, { method: 'HEAD', signal: AbortSignal.timeout(REACHABLE_MS) });
    const folder = await prepared(name, version, async (downloading) => {
      const script = [fileURLToPath(import.meta.resolve('./sdk-download.ts')), name, downloading, wanted];
      const title = `Downloading ${name} with Temporal's SDK`;
      const file = await runTool(title, process.execPath, script, process.env, DOWNLOAD_MS);
      renameSync(join(downloading, file), join(downloading, name));
    });
    return { path: join(folder, name), origin: "downloaded by Temporal's SDK" };
  } catch {
    // Not reachable from here, so the next source is tried.
    return null;
  }
}

async function fetchedByMaven(): Promise<Tool> {
  const folder = await prepared(MAVEN_FOLDER, TEST_SERVER.version, (fetching) =>
    fetchTimeSkippingServer(fetching, TEST_SERVER),
  );
  return { path: join(folder, PROGRAM), origin: 'fetched with Maven' };
}

/** Fills a tool's folder elsewhere first, unless it exists, so that an incomplete one is never found, and concurrent runs do no harm. */
export async function prepared(
  name: string,
  version: string,
  fill: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = toolFolder(name, version);
  if (existsSync(folder)) return folder;
  const filling = `${folder}.${process.pid}`;
  mkdirSync(filling, { recursive: true });
  try {
    await fill(filling);
    if (!existsSync(folder)) renameSync(filling, folder);
    return folder;
  } finally {
    rmSync(filling, { recursive: true, force: true });
  }
}
