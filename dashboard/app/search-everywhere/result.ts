import type { Group } from './text.ts';

/** Something that can be opened. */
export interface Found {
  readonly group: Group;
  readonly label: string;
  /** Whether the label is a text of users. */
  readonly isContent: boolean;
  /** Without `/dashboard`, such as `/<site_id>/tags`. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** The status of an article. */
  readonly status?: string;
}

/** Its address identifies it. */
export const keyOf = ({ to, search }: Found): string => `${to}?${new URLSearchParams(search).toString()}`;
