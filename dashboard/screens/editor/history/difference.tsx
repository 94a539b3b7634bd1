import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useLanguage } from '../../../text/language.ts';
import { nonce } from '../../../ui/nonce.ts';
import { lineDirections } from '../markdown/line-directions.ts';
import { look } from '../markdown/look.ts';
import { phrasesIn } from '../markdown/phrases.ts';
import styles from './history.module.css';

export interface DifferenceProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Hides long stretches that are the same. */
  readonly collapses?: boolean;
}

const CONTEXT = { margin: 2, minSize: 6 } as const;

/** Two texts in one, to be read. */
export function Difference({ label, before, after, collapses = false }: DifferenceProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  useEffect(() => {
    const view = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: after,
        extensions: [
          unifiedMergeView({
            original: before,
            mergeControls: false,
            ...(collapses && { collapseUnchanged: CONTEXT }),
          }),
          EditorState.readOnly.of(true),
          EditorView.lineWrapping,
          lineDirections,
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
          EditorState.phrases.of(phrasesIn(language)),
          look,
        ],
      }),
    });
    return () => view.destroy();
  }, [label, before, after, collapses, language]);
  return <div ref={place} className={styles.difference} />;
}
