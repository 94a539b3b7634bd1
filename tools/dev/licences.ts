/** A package of package-lock.json, with the members that are read here. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  /** Not installed in production. */
  readonly dev?: boolean;
  /** A workspace. */
  readonly link?: boolean;
}

/** SPDX ids of licences that are compatible with distributing the product under Apache-2.0. */
const accepted: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Licences that are accepted for one package, or for all whose names start with the prefix, and why. */
const exceptions: readonly { readonly name: string; readonly licence: string; readonly why: string }[] = [
  {
    name: 'argparse',
    licence: 'PSF-2.0',
    why: 'as permissive as MIT, with a notice to keep; only the command of markdown-it uses it, which the product does not run',
  },
  {
    name: '@img/sharp-*',
    licence: 'LGPL-3.0-or-later',
    why: 'libvips, used unchanged as a separate library that can be replaced by another build',
  },
  {
    name: 'caniuse-lite',
    licence: 'CC-BY-4.0',
    why: 'data about browsers, which only bundlers use; named here, as the licence asks for attribution',
  },
];

/** Licences that a package names in a file instead of package.json. */
const stated: Readonly<Record<string, string>> = { unionfs: 'Unlicense' };

interface Used {
  readonly name: string;
  readonly versions: readonly string[];
  /** An SPDX expression; null if the package names none. */
  readonly licence: string | null;
}

/** Every production package, for all platforms, by name. */
function usedPackages(packages: Readonly<Record<string, LockedPackage>>): readonly Used[] {
  const found = new Map<string, { versions: Set<string>; name: string; licence: string | null }>();
  for (const [path, { version, license, dev, link }] of Object.entries(packages)) {
    // A workspace is the product itself.
    if (!path.includes('node_modules/') || link || dev) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = license ?? stated[name] ?? null;
    const entry = found.get(`${name} ${licence}`) ?? { name, licence, versions: new Set() };
    found.set(`${name} ${licence}`, entry);
    entry.versions.add(version ?? 'unknown');
  }
  const all = [...found.values()].map((entry) => ({ ...entry, versions: [...entry.versions].toSorted() }));
  return all.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Of alternatives, one accepted licence is enough; of licences that apply together, all must be accepted. */
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

/** @returns the packages whose licence is not accepted, with the licence */
export const refusedLicences = (packages: Readonly<Record<string, LockedPackage>>): readonly string[] =>
  usedPackages(packages)
    .filter((used) => !isAccepted(used))
    .map(({ name, versions, licence }) => `${name} ${versions.join(', ')}: ${licence ?? 'no licence'}`);

/**
 * The licences of all production packages, as a document.
 *
 * @throws Error naming each package whose licence is not accepted
 */
export function licencesDocument(packages: Readonly<Record<string, LockedPackage>>): string {
  const refused = refusedLicences(packages);
  if (refused.length > 0) {
    throw new Error(`Not accepted by tools/dev/licences.ts, take another package:\n${refused.join('\n')}`);
  }
  const rows = usedPackages(packages).map(
    ({ name, versions, licence }) => `| ${name} | ${versions.join(', ')} | ${licence} |`,
  );
  return `# Licences of others' work

Presswork is under [Apache-2.0](../LICENSE). This is what runs with it, on whatever platform; read off package-lock.json by
\`npm run generate\`, do not edit. \`tools/dev/licences.ts\` says which licences are accepted, and the check fails for any other.

Accepted of one package alone:

${exceptions.map(({ name, licence, why }) => `- \`${name}\`, ${licence}: ${why}.`).join('\n')}

The texts are in the packages themselves, which an image holds whole.

| Package | Version | Licence |
|---|---|---|
${rows.join('\n')}
`;
}
