/** The browser and the system of a User-Agent, as people call them; null for one that says neither. */
export function browserName(agent: string): { readonly browser: string; readonly system: string } | null {
  const browser = browsers.find(([sign]) => agent.includes(sign))?.[1];
  const system = systems.find(([sign]) => agent.includes(sign))?.[1];
  return browser === undefined || system === undefined ? null : { browser, system };
}

/** Browsers name those that they resemble as well: the first match is the right one. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;
