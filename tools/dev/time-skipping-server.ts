import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../runtime/free-port.ts';
import { until } from './processes.ts';
import { runTool } from './run-tool.ts';

/** An artefact of Maven. */
interface Artefact {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
}

/** The program in the folder. */
export const PROGRAM = 'start';

const CLASS = 'io.temporal.testserver.TestServer';
/** Its classes as Java holds them in memory. Java ignores the file if it is missing, or of another Java. */
const CLASSES = 'classes.jsa';
/** Of a program that lives for seconds: one thread clears its memory, and nothing is compiled twice. */
const SHORT_LIVED = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
/** Relative, because the file names the archives by these paths, and the folder is moved. */
const ARCHIVES = ['-cp', 'lib/*'];

const UP_MS = 60_000;

/** Fills a folder with the time-skipping test server and its program, which starts in a fifth of Java's usual time. */
export async function fetchTimeSkippingServer(folder: string, artefact: Artefact): Promise<void> {
  const pom = join(folder, 'pom.xml');
  const { group, artifact, version } = artefact;
  writeFileSync(
    pom,
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>presswork</groupId><artifactId>tools</artifactId><version>1</version><dependencies><dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency></dependencies></project>\n`,
  );
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'lib')}`];
  const title = 'Fetching the time-skipping Temporal test server with Maven';
  await runTool(title, 'mvn', ['-q', '-B', '-f', pom, ...goal], process.env);
  await keepClasses(folder);
  const program = join(folder, PROGRAM);
  const options = [`-XX:SharedArchiveFile=${CLASSES}`, ...SHORT_LIVED].join(' ');
  writeFileSync(
    program,
    `#!/bin/sh\ncd "$(dirname "$0")" && exec java ${options} ${ARCHIVES[0]} '${ARCHIVES[1]}' ${CLASS} "$@"\n`,
  );
  chmodSync(program, 0o755);
}

/** Starts the server once, because Java writes the classes that were loaded when it ends. */
async function keepClasses(folder: string): Promise<void> {
  const port = await freePort();
  const options = [`-XX:ArchiveClassesAtExit=${CLASSES}`, ...SHORT_LIVED, ...ARCHIVES, CLASS, String(port)];
  const server = spawn('java', options, { cwd: folder, stdio: 'ignore' });
  const ended = once(server, 'exit');
  await until(async () => server.exitCode !== null || (await listens(port)), UP_MS);
  server.kill();
  await ended;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
