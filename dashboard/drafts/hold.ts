/**
 * Holds a name for as long as this tab lives, so that another tab leaves its draft alone.
 *
 * @returns what lets go of it; null if another tab has it. Pages without TLS have no locks, and get everything: two tabs
 *   may then save the same text, which is merged into one.
 */
export function hold(draftId: string): Promise<(() => void) | null> {
  const locks = (navigator as Partial<Navigator>).locks;
  if (locks === undefined) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    locks
      .request(`presswork-draft/${draftId}`, { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((letGo) => resolve(letGo));
      })
      .catch(reject);
  });
}
