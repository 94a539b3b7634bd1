import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** The first has no window and uses a quarter less processor time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
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

/** The path of Chromium or Chrome: from CHROMIUM, or from the usual places; null if there is none. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const usual = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  // The last one is the cache of `npx playwright-core install chromium`.
  return [...usual, ...applications, chromium.executablePath()].find(isProgram) ?? null;
}
