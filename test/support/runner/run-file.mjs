import { jestExpect } from '@jest/expect';
import { createEmptyTestResult } from '@jest/test-result';
import * as circus from 'jest-circus';
import { formatResultsErrors } from 'jest-message-util';
import { pathToFileURL } from 'node:url';
import { endProcess } from './end-of-process.ts';

const { test, describe, beforeAll, beforeEach, afterAll, afterEach } = circus;
Object.assign(globalThis, { expect: jestExpect, test, describe, beforeAll, beforeEach, afterAll, afterEach });

/** Errors that nothing awaited: they fail the file during which they came. */
const stray = [];
process.on('uncaughtException', (error) => stray.push(error));
process.on('unhandledRejection', (error) => stray.push(error));

// The run was killed: nothing else would end this process, whose servers are open, and it would go on with its file.
process.on('disconnect', () => process.exit(1));

/** The name by which jest-worker calls it, when no file is left for this process. */
export const teardown = endProcess;

/** Runs a test file, with the modules of the product that the process has already loaded. */
export default async function run({ testPath, config, globalConfig }) {
  const started = Date.now();
  circus.resetState();
  Object.assign(circus.getState(), {
    testTimeout: config.testTimeout,
    testNamePattern: globalConfig.testNamePattern ? new RegExp(globalConfig.testNamePattern, 'i') : null,
  });
  jestExpect.setState({ expand: globalConfig.expand, testPath });
  await loaded(testPath, config.testTimeout);
  const { testResults, unhandledErrors } = await circus.run();
  const strayErrors = stray.splice(0).map((error) => error?.stack ?? String(error));
  return resultOf({
    testPath,
    config,
    globalConfig,
    started,
    tests: testResults.map(assertionOf),
    errors: [...unhandledErrors, ...strayErrors],
  });
}

/** Imports a file, which may await its API. @throws Error after the time that a test has */
async function loaded(testPath, limitMs) {
  const { promise: late, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(new Error(`It was not loaded within ${limitMs} ms`)), limitMs);
  await Promise.race([import(addressOf(testPath)), late]).finally(() => clearTimeout(timer));
}

/** How often each file ran: Node runs a module once by each address, and compiles it for each. */
const runs = new Map();

function addressOf(testPath) {
  const earlier = runs.get(testPath) ?? 0;
  runs.set(testPath, earlier + 1);
  const address = pathToFileURL(testPath).href;
  return earlier === 0 ? address : `${address}?again=${earlier}`;
}

/** A test's result in the form that jest's reporters read. */
function assertionOf({ testPath, status, errors, duration, invocations, startedAt }) {
  const [, ...titles] = testPath;
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    status:
      status === 'skip' ? 'pending' : status === 'todo' ? 'todo' : errors.length > 0 ? 'failed' : 'passed',
    duration,
    startAt: startedAt,
    invocations,
    failureMessages: errors,
    failureDetails: [],
    numPassingAsserts: 0,
  };
}

function resultOf({ testPath, config, globalConfig, started, tests, errors }) {
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  const end = Date.now();
  const failures = formatResultsErrors(tests, config, globalConfig, testPath);
  return {
    ...createEmptyTestResult(),
    testFilePath: testPath,
    testResults: tests,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: {
      start: started,
      end,
      runtime: end - started,
      slow: false,
      loadTestEnvironmentStart: started,
      loadTestEnvironmentEnd: started,
      setupFilesStart: started,
      setupFilesEnd: started,
    },
    failureMessage: [...errors, failures ?? ''].join('\n\n') || null,
    ...(errors.length > 0 && { testExecError: { message: errors[0], stack: errors.join('\n\n') } }),
  };
}
