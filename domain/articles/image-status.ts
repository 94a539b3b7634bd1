import type { ArticleStatus } from './row.ts';

/** The status of an article after its featured image was written: whether the pipeline still misses one. */
export function statusWithImage(status: ArticleStatus, image: string | null): ArticleStatus {
  if (status !== 'needs_images' && status !== 'queued') return status;
  return image === null ? 'needs_images' : 'queued';
}
