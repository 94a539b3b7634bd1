import { fieldsBy, sameValue } from './fields.ts';
import type { FieldName, Fields } from './fields.ts';
import { isDisagreement, mergeLines, textOf } from './merge-lines.ts';
import type { LineChoice, Part } from './merge-lines.ts';

/** A field that two people changed in different ways. `parts` are those of the content. */
export type Conflict =
  | { readonly field: 'content'; readonly parts: readonly Part[] }
  | {
      readonly field: Exclude<FieldName, 'content' | 'tag_ids'>;
      readonly theirs: unknown;
      readonly mine: unknown;
    };

export interface Merge {
  /** With my values where there is a conflict. */
  readonly fields: Fields;
  readonly conflicts: readonly Conflict[];
}

/** By field; the content by line, and the tags as a set. */
export function mergeFields(base: Fields, theirs: Fields, mine: Fields): Merge {
  const conflicts: Conflict[] = [];
  const fields = fieldsBy((name) => {
    if (sameValue(name, theirs[name], mine[name]) || sameValue(name, base[name], theirs[name]))
      return mine[name];
    if (sameValue(name, base[name], mine[name])) return theirs[name];
    if (name === 'tag_ids') return mergeSets(base.tag_ids, theirs.tag_ids, mine.tag_ids);
    if (name !== 'content') {
      conflicts.push({ field: name, theirs: theirs[name], mine: mine[name] });
      return mine[name];
    }
    const parts = mergeLines(base.content ?? '', theirs.content ?? '', mine.content ?? '');
    if (parts.some(isDisagreement)) conflicts.push({ field: name, parts });
    return textOf(parts, []);
  });
  return { fields, conflicts };
}

/** For each conflict what to take: for the content by part. Mine is taken if there is no choice. */
export type Choices = { readonly [name in FieldName]?: LineChoice | readonly LineChoice[] };

export function decide({ fields, conflicts }: Merge, choices: Choices): Fields {
  const decided = Object.fromEntries(
    conflicts.map((conflict) => {
      const choice = choices[conflict.field] ?? 'mine';
      if (conflict.field === 'content') return ['content', textOf(conflict.parts, [choice].flat())];
      return [conflict.field, choice === 'theirs' ? conflict.theirs : conflict.mine];
    }),
  );
  return { ...fields, ...decided };
}

const mergeSets = (base: readonly string[], theirs: readonly string[], mine: readonly string[]): string[] => [
  ...theirs.filter((id) => !base.includes(id) || mine.includes(id)),
  ...mine.filter((id) => !base.includes(id) && !theirs.includes(id)),
];
