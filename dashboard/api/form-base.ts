import { useState } from 'react';

/**
 * The version that a form is based on: the one that it began with, so that a newer one is a conflict and not
 * overwritten. While nothing is changed in the form, it follows what is read.
 */
export function useBase<Item>(
  read: Item,
  isUnchanged: boolean,
): readonly [base: Item, setBase: (base: Item) => void] {
  const [{ base, seen }, set] = useState({ base: read, seen: read });
  if (seen !== read && isUnchanged) set({ base: read, seen: read });
  // Earlier reads are older than the answer of the API.
  return [base, (newer) => set({ base: newer, seen: read })];
}

/** The members that a person changed and that differ from the saved ones. */
export function differing<Values extends object>(
  saved: Values,
  changed: Partial<Values>,
): { [Name in keyof Values]?: Values[Name] } {
  const names = Object.keys(changed) as (keyof Values)[];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(changed[name]) !== JSON.stringify(saved[name]))
      .map((name) => [name, changed[name]]),
  ) as { [Name in keyof Values]?: Values[Name] };
}
