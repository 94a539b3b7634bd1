/** A package of package-lock.json, as far as it is needed here. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  /** Not installed where the product runs. */
  readonly dev?: boolean;
}

/** By SPDX: what may be passed on with the product under Apache-2.0. */
const accepted: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** What is accepted of one package alone, or of all whose names begin so, and why. */
const exceptions: readonly { readonly name: string; readonly licence: string; readonly why: string }[] = [
  {
    name: '@img/sharp-*',
    licence: 'LGPL-3.0-or-later',
    why: 'libvips, used unchanged as a library of its own, which can be replaced by another build of it',
  },
  {
    name: 'caniuse-lite',
    licence: 'CC-BY-4.0',
    why: 'data about browsers, of which only tools that bundle make use; named here as it asks for',
  },
];

/** Licences that a package does not name where npm looks, but in a file of its own. */
const stated: Readonly<Record<string, string>> = { unionfs: 'Unlicense' };

interface Used {
  readonly name: string;
  readonly versions: readonly string[];
  /** An SPDX expression; null where the package names none. */
  readonly licence: string | null;
}

/** Every package that runs with the product, on whatever platform, by name. */
function usedPackages(packages: Readonly<Record<string, LockedPackage>>): readonly Used[] {
  const found = new Map<string, { versions: Set<string>; name: string; licence: string | null }>();
  for (const [path, { version, license, dev }] of Object.entries(packages)) {
    if (path === '' || dev) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = license ?? stated[name] ?? null;
    const entry = found.get(`${name} ${licence}`) ?? { name, licence, versions: new Set() };
    found.set(`${name} ${licence}`, entry);
    entry.versions.add(version ?? 'unknown');
  }
  const all = [...found.values()].map((entry) => ({ ...entry, versions: [...entry.versions].toSorted() }));
  return all.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** One of several that the package leaves to choose is enough; of several that all hold, each has to do. */
function isAccepted({ name, licence }: Used): boolean {
  if (licence === null) return false;
  const allowed = (id: string): boolean =>
    accepted.has(id) || exceptions.some((each) => each.licence === id && isNamed(each.name, name));
  const ids = licence.split(/\s+(?:OR|AND)\s+|[()]/).filter((id) => id.trim() !== '');
  const oneIsEnough = / OR /.test(licence) && !/ AND /.test(licence);
  return oneIsEnough ? ids.some(allowed) : ids.every(allowed);
}

const isNamed = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** @returns what may not be used as it is, with its licence */
export const refusedLicences = (packages: Readonly<Record<string, LockedPackage>>): readonly string[] =>
  usedPackages(packages)
    .filter((used) => !isAccepted(used))
    .map(({ name, versions, licence }) => `${name} ${versions.join(', ')}: ${licence ?? 'no licence'}`);

/**
 * The licences of everything that runs with the product, as a document.
 *
 * @throws Error naming each package whose licence is not accepted
 */
export function licencesDocument(packages: Readonly<Record<string, LockedPackage>>): string {
  const refused = refusedLicences(packages);
  if (refused.length > 0) {
    throw new Error(`Not accepted by dev/licences.ts, take another package:\n${refused.join('\n')}`);
  }
  const rows = usedPackages(packages).map(
    ({ name, versions, licence }) => `| ${name} | ${versions.join(', ')} | ${licence} |`,
  );
  return `# Licences of others' work

Presswork is under [Apache-2.0](../LICENSE). This is what runs with it, on whatever platform; read off package-lock.json by
\`npm run generate\`, do not edit. \`dev/licences.ts\` says which licences are accepted, and the check fails for any other.

Accepted of one package alone:

${exceptions.map(({ name, licence, why }) => `- \`${name}\`, ${licence}: ${why}.`).join('\n')}

The texts are in the packages themselves, which an image holds whole.

| Package | Version | Licence |
|---|---|---|
${rows.join('\n')}
`;
}
