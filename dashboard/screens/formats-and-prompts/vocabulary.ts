import type { Voice } from '../../../sdk/src/index.ts';
import { linesOf } from '../../content/lines.ts';

type Word = Voice['vocabulary'][number];

/** The vocabulary as a person writes it: `sourdough = leaven, natural yeast`. */
export const writtenWords = (words: readonly Word[]): string =>
  words.map(({ use, instead_of: others }) => [use, others.join(', ')].filter(Boolean).join(' = ')).join('\n');

export const wordsOf = (text: string): Word[] =>
  linesOf(text).map((line) => {
    const [use = '', ...others] = line.split('=');
    const insteadOf = others
      .join('=')
      .split(',')
      .map((word) => word.trim());
    return { use: use.trim(), instead_of: insteadOf.filter((word) => word !== '') };
  });
