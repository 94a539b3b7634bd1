/** What an amount of this month, in UTC, comes to at its end if it goes on as until now. */
export function monthEnd(amount: number, now: Date): number {
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  return Math.round((amount * days) / now.getUTCDate());
}
