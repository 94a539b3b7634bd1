import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new temporary folder. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'presswork-dev-test-'));
