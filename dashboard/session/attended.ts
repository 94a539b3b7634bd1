/** Without input for this long, requests are made by the page alone, such as those of a list that refreshes itself. */
const ATTENDED_MS = 5 * 60_000;

let lastInput = Date.now();
for (const type of ['pointerdown', 'keydown', 'wheel', 'touchmove'])
  addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });

/** The header of a request that no person asked for. The server does not count it as a use of the session. */
export const attendance = (): Readonly<Record<string, string>> =>
  Date.now() - lastInput < ATTENDED_MS ? {} : { 'x-presswork-unattended': '1' };
