import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { Link } from '@tanstack/react-router';
import styles from './page.module.css';

export interface Crumb {
  readonly label: string;
  /** The address without `/dashboard`, such as `/<site_id>/webhooks`. */
  readonly to: string;
}

export interface PageProps {
  readonly title: string;
  /** One sentence below the title, if the title does not say it all. */
  readonly about?: ReactNode;
  /** Where the page is, from the outermost; without the page itself. */
  readonly crumbs?: readonly Crumb[];
  /** Buttons; the most important one last. */
  readonly actions?: ReactNode;
  /** Text that is read is narrow, tables are wide. */
  readonly width?: 'narrow' | 'wide';
  readonly children: ReactNode;
}

/** A screen: its one h1, its actions, its content. It also names the tab of the browser. */
export function Page({ title, about, crumbs = [], actions, width = 'wide', children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useKeptFocus(heading);
  useEffect(() => {
    document.title = `${title} · Presswork`;
  }, [title]);
  return (
    <div className={styles.page} data-width={width}>
      {crumbs.length > 0 && (
        <nav className={styles.crumbs} aria-label={title}>
          {crumbs.map(({ label, to }) => (
            <Link key={to} to={to} dir="auto">
              {label}
            </Link>
          ))}
        </nav>
      )}
      <header className={styles.head}>
        <div className={styles.titles}>
          {/* Takes the focus when the screen is opened, so that a screen reader begins here. */}
          <h1 ref={heading} className={styles.title} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Whether the heading that was there last had the focus when it went. */
let wasFocused = false;

/** When a screen has been loaded, its heading takes the focus over from that of the screen that was loading. */
function useKeptFocus(heading: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = heading.current;
    if (wasFocused && document.activeElement === document.body) element?.focus({ preventScroll: true });
    wasFocused = false;
    return () => {
      wasFocused = document.activeElement === element;
    };
  }, [heading]);
}
