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
