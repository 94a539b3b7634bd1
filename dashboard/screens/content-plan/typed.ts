import type { PlanItem, PlanItemUpdate } from '../../../sdk/src/index.ts';

/** The values of the fields. */
export interface Typed {
  readonly title: string;
  readonly notes: string;
  readonly keywords: readonly string[];
  readonly source_url: string;
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
  format_id: item?.format_id ?? null,
  category_id: item?.category_id ?? null,
  author_id: item?.author_id ?? null,
  target_date: item?.target_date ?? '',
  status: item?.status ?? 'idea',
});

const orNull = (value: string): string | null => (value.trim() === '' ? null : value.trim());

/** The members that a person changed, as the API takes them. */
export function sentOf(changed: Partial<Typed>): PlanItemUpdate {
  const { notes, source_url: source, target_date: date, status, ...others } = changed;
  return {
    ...others,
    ...(notes !== undefined && { notes: orNull(notes) }),
    ...(source !== undefined && { source_url: orNull(source) }),
    ...(date !== undefined && { target_date: orNull(date) }),
    ...(status !== undefined && { status: status as 'idea' | 'approved' | 'rejected' }),
  };
}
