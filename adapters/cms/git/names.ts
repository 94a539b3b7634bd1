/** Characters that no name of a branch may have (git check-ref-format). */
const forbidden = /[\p{Cc} ~^:?*[\\]/u;

/** The mistake of the name of a branch; null if git allows it. */
export function mistakeInBranch(branch: string): string | null {
  const parts = branch.split('/');
  const allowed =
    branch.length <= 200 &&
    !forbidden.test(branch) &&
    !branch.includes('..') &&
    !branch.includes('@{') &&
    !branch.startsWith('-') &&
    !branch.endsWith('.') &&
    branch !== '@' &&
    branch !== 'HEAD' &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
  return allowed ? null : 'is not a name that git allows for a branch, such as main';
}

/** The mistake of a folder of a repository; null if it can be one. */
export function mistakeInFolder(path: string): string | null {
  if (path === '') return null;
  if (path.length > 500) return 'must have at most 500 characters';
  if (/[\p{Cc}\\:*?"<>|]/u.test(path))
    return 'must not contain control characters, backslashes or any of :*?"<>|';
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && !isGitFolder(part))
    ? null
    : 'must be a folder in the repository, such as content/posts: relative, without .. and .git';
}

/** Names that git, or a file system, takes for `.git`. */
const isGitFolder = (part: string): boolean =>
  /^\.git[ .]*$/i.test(part) || /^git~\d$/i.test(part) || part.endsWith(' ') || part.endsWith('.');
