import { Suspense, lazy, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { texts, useText } from '../../text/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './search-button.module.css';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const buttonTexts = texts(
  { open: 'Search everywhere', short: 'Search' },
  { open: 'Überall suchen', short: 'Suchen' },
);

const OPEN = 'presswork:search-everywhere';
const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent);

/** Opens the search; Ctrl+K or ⌘K does it from anywhere. */
export function SearchButton({ compact = false }: { readonly compact?: boolean }): ReactNode {
  const { open, short } = useText(buttonTexts);
  return (
    <button
      type="button"
      className={compact ? styles.compact : styles.button}
      aria-label={compact ? open : undefined}
      aria-haspopup="dialog"
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      onClick={() => window.dispatchEvent(new Event(OPEN))}
    >
      <Icon name="search" size={compact ? 20 : 16} />
      {!compact && (
        <>
          <span>{short}</span>
          <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </>
      )}
    </button>
  );
}

/** The search itself: once for the page, however many buttons it has. */
export function SearchEverywhere(): ReactNode {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const show = (): void => setOpened(true);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return;
      if (!(isApple ? event.metaKey : event.ctrlKey)) return;
      // The browser would go to its own search; what lies above the page keeps the focus.
      event.preventDefault();
      if (document.querySelector('[role=dialog][aria-modal=true], dialog[open]') === null) show();
    };
    window.addEventListener(OPEN, show);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener(OPEN, show);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
  return (
    opened && (
      <Suspense>
        <Palette onClose={() => setOpened(false)} />
      </Suspense>
    )
  );
}
