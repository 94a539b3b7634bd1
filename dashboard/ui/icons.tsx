import type { ReactNode } from 'react';

/** Outlines on a grid of 20; they are decoration, and what they stand beside has the name. */
const outlines = {
  search: 'M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12Zm4.5-1.5L17 17',
  menu: 'M3 6h14M3 10h14M3 14h14',
  close: 'M5 5l10 10M15 5L5 15',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  down: 'M6 8l4 4 4-4',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  warning: 'M10 3.5L17.5 16h-15L10 3.5ZM10 8.5v3M10 13.8v.01',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  plus: 'M10 4v12M4 10h12',
  up: 'M6 12l4-4 4 4',
  image: 'M3 4.5h14v11H3v-11ZM3 13l4-4 4 4 2.5-2.5L17 14M12.8 8h.01',
  link: 'M8.5 11.5a3 3 0 0 0 4.2 0l2.5-2.5a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0L4.8 11a3 3 0 0 0 4.2 4.2l1-1',
  list: 'M7.5 5.5H17M7.5 10H17M7.5 14.5H17M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01',
  quote: 'M4 5v10M8 6.5h8M8 10h8M8 13.5h5',
  code: 'M7 6l-4 4 4 4M13 6l4 4-4 4',
  copy: 'M7 7V4h9v9h-3M4 7h9v9H4V7Z',
  person: 'M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM4 17c.6-3.2 3-5 6-5s5.4 1.8 6 5',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6v4l2.5 2',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1h-13L5 14ZM8.5 17.5h3',
  dot: 'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
} as const;

export type IconName = keyof typeof outlines;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.4 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={outlines[name]} />
    </svg>
  );
}
