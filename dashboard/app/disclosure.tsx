import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

export interface DisclosureProps {
  /** The content of the button. */
  readonly button: ReactNode;
  /** Its name, if its content has none. */
  readonly label?: string;
  readonly className: string | undefined;
  /** Where the panel is, seen from the button. */
  readonly side: 'above' | 'below' | 'below-end';
  /** @param close closes the panel, for links and the like */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a panel of links and choices. Escape, a click elsewhere and leaving it by Tab close it. */
export function Disclosure({ button, label, className, side, children }: DisclosureProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !frame.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [isOpen]);
  return (
    <div
      ref={frame}
      className={styles.frame}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        opener.current?.focus();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div id={panel} className={styles.panel} data-side={side}>
          {children(() => setOpen(false))}
        </div>
      )}
    </div>
  );
}
