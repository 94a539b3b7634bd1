/** A path or name that can be shown, whatever a client called its members: each character that is not Unicode text becomes U+FFFD. */
export const showable = (name: string): string => name.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Finds strings that cannot be stored: those that hold U+0000, and those with half a surrogate pair
 * (decisions 1), in values and in members' names.
 *
 * @returns a message by dotted path
 */
export function findUnusableText(body: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      const problem = problemOf(value);
      if (problem !== null) found[path] = problem;
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const inner = path === '' ? name : `${path}.${name}`;
        const problem = problemOf(name);
        if (problem === null) visit(member, inner);
        else found[showable(inner)] = `has a name that ${problem}`;
      }
    }
  };
  visit(body, '');
  return found;
}

function problemOf(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the character U+0000';
  return text.isWellFormed() ? null : 'must not hold half a surrogate pair: it is not Unicode text';
}
