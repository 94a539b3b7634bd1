import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
const applications = ['Chromium', 'Google Chrome'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** A Chromium or Chrome of this machine: the one that CHROMIUM names, or one in the usual places; else null. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const usual = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  // The last is what `npx playwright-core install chromium` puts into its cache.
  return [...usual, ...applications, chromium.executablePath()].find(isProgram) ?? null;
}
