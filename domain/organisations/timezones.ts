/** Whether a name is a timezone of the IANA database, in the case that it has there. An offset is none. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
