import type { Mistakes } from './mistakes.ts';

/**
 * Finds strings that cannot be stored, in values and member names: those with U+0000 or a lone surrogate
 * (docs/spec/rulings.md, 1).
 */
export function findUnusableText(body: unknown, mistakes: Mistakes): void {
  const path: PropertyKey[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      const problem = problemOf(value);
      if (problem !== null) mistakes.add(path, problem);
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length && !mistakes.isFull; index += 1) {
        path.push(index);
        visit(value[index]);
        path.pop();
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) {
        if (mistakes.isFull) return;
        path.push(name);
        const problem = problemOf(name);
        if (problem === null) visit((value as Record<string, unknown>)[name]);
        else mistakes.add(path, `has a name that ${problem}`);
        path.pop();
      }
    }
  };
  visit(body);
}

function problemOf(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  return text.isWellFormed() ? null : 'must not contain a lone surrogate, which is not valid Unicode';
}
