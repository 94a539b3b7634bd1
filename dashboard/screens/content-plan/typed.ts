import type { PlanItem, PlanItemUpdate } from '../../../sdk/src/index.ts';
import { linesOf } from '../../content/lines.ts';

/** The values of the fields. */
export interface Typed {
  readonly title: string;
  readonly notes: string;
  readonly keywords: readonly string[];
  readonly source_url: string;
  /** One a line. */
  readonly source_urls: string;
  readonly format_id: string | null;
  readonly category_id: string | null;
  readonly author_id: string | null;
  readonly target_date: string;
  readonly status: string;
}

export const typedOf = (item: PlanItem | null): Typed => ({
  title: item?.title ?? '',
  notes: item?.notes ?? '',
  keywords: item?.keywords ?? [],
  source_url: item?.source_url ?? '',
  source_urls: (item?.source_urls ?? []).join('\n'),
  format_id: item?.format_id ?? null,
  category_id: item?.category_id ?? null,
  author_id: item?.author_id ?? null,
  target_date: item?.target_date ?? '',
  status: item?.status ?? 'idea',
});

const orNull = (value: string): string | null => (value.trim() === '' ? null : value.trim());

/** The members that a person changed, as the API takes them. */
export function sentOf(changed: Partial<Typed>): PlanItemUpdate {
  const { notes, source_url: source, source_urls: sources, target_date: date, status, ...others } = changed;
  return {
    ...others,
    ...(notes !== undefined && { notes: orNull(notes) }),
    ...(source !== undefined && { source_url: orNull(source) }),
    ...(sources !== undefined && { source_urls: linesOf(sources) }),
    ...(date !== undefined && { target_date: orNull(date) }),
    ...(status !== undefined && { status: status as 'idea' | 'approved' | 'rejected' }),
  };
}
