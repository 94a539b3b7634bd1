/** A job is kept for 30 days after its end, and nobody looks through more. */
const MOST = 20;

const placeOf = (siteId: string): string => `presswork.bulk-jobs.${siteId}`;

/** The bulk jobs that were started or opened in this browser, the newest first: the API has no list of them. */
export function bulkJobsOf(siteId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(siteId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberBulkJob(siteId: string, id: string): void {
  const others = bulkJobsOf(siteId).filter((known) => known !== id);
  set(siteId, [id, ...others]);
}

/** For a job that no longer exists. */
export const forgetBulkJob = (siteId: string, id: string): void =>
  set(
    siteId,
    bulkJobsOf(siteId).filter((known) => known !== id),
  );

function set(siteId: string, ids: readonly string[]): void {
  try {
    localStorage.setItem(placeOf(siteId), JSON.stringify(ids.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing has no list; the job itself can be opened anyway.
  }
}
