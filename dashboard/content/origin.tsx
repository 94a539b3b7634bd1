import type { ReactNode } from 'react';
import { texts, useText } from '../text/texts.ts';
import { Sign } from '../ui/sign.tsx';

export const origins = ['person', 'assisted', 'generated'] as const;

type Origin = (typeof origins)[number];

export const originTexts = texts(
  {
    label: 'Written by',
    person: 'A person',
    assisted: 'AI and a person',
    generated: 'AI',
  } satisfies Record<Origin | 'label', string>,
  {
    label: 'Geschrieben von',
    person: 'Mensch',
    assisted: 'KI und Mensch',
    generated: 'KI',
  },
);

/** That AI took part in the text of an article. Of a person's text nothing is said. */
export function OriginSign({ origin }: { readonly origin: string }): ReactNode {
  const text = useText(originTexts);
  if (origin !== 'assisted' && origin !== 'generated') return null;
  return <Sign tone="quiet">{text[origin]}</Sign>;
}
