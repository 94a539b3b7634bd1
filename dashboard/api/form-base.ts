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
  // What has been read until now is older than what the API has just answered.
  return [base, (newer) => set({ base: newer, seen: read })];
}

/** The members of what a person changed that differ from what is saved. */
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
