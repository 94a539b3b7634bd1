/** A value of a field as text that a person can read. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map(shownValue).join('\n');
  return Object.values(value)
    .map(shownValue)
    .filter((line) => line !== '')
    .join('\n');
}
