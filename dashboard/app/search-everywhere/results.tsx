import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { StatusBadge } from '../../content/status-badge.tsx';
import styles from './palette.module.css';
import { keyOf } from './result.ts';
import type { Found } from './result.ts';
import { searchTexts } from './text.ts';

export interface ResultsProps {
  readonly id: string;
  readonly results: readonly Found[];
  readonly chosen: number | null;
  readonly labelOf: (found: Found) => string;
  readonly onOpen: (found: Found) => void;
  readonly onChoose: (index: number) => void;
}

/** The results, in their groups; the field above says which one is chosen. */
export function Results({ id, results, chosen, labelOf, onOpen, onChoose }: ResultsProps): ReactNode {
  const text = useText(searchTexts);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={text.title} className={styles.results}>
      {[...new Set(results.map(({ group }) => group))].map((group) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <p id={`${id}-${group}`} className={styles.group}>
            {text.groups[group]}
          </p>
          {results.map(
            (found, index) =>
              found.group === group && (
                <div
                  key={keyOf(found)}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === chosen}
                  className={styles.result}
                  onClick={() => onOpen(found)}
                  onMouseMove={() => onChoose(index)}
                >
                  <span className={styles.label} dir="auto">
                    {labelOf(found)}
                  </span>
                  {found.status !== undefined && <StatusBadge status={found.status} />}
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  );
}
