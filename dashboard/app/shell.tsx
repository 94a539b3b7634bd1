import { Suspense, useEffect, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { useAccount } from '../session/account.ts';
import { useSessionEnded } from '../session/ended.ts';
import { locationQuestion, proofQuestion } from '../session/question.ts';
import { SiteId } from '../api/site.ts';
import { texts, useText } from '../text/texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Loading } from '../ui/notes.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';
import { rememberSite } from './last-site.ts';
import { Navigation } from './navigation.tsx';
import { SearchButton, SearchEverywhere } from './search-everywhere/search-button.tsx';
import { SiteMenu } from './site-menu.tsx';
import styles from './shell.module.css';

const SignInNotices = onDemand(async () => (await import('./sign-in-notices.tsx')).SignInNotices);
const LocationQuestion = onDemand(async () => (await import('./location-question.tsx')).LocationQuestion);
const ProveAgain = onDemand(async () => (await import('./prove-again.tsx')).ProveAgain);
const SessionEnded = onDemand(async () => (await import('./session-ended.tsx')).SessionEnded);

const shellTexts = texts(
  { skip: 'Skip to the content', menu: 'Menu', close: 'Close the menu' },
  { skip: 'Zum Inhalt springen', menu: 'Menü', close: 'Menü schließen' },
);

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address has changed, and what the person works on has not. */
    readonly keepsFocus?: true;
  }
}

/** The frame of every screen of a Site. */
export function Shell(): ReactNode {
  const { siteId } = useParams({ from: '/$siteId' });
  useEffect(() => rememberSite(siteId), [siteId]);
  return (
    // Another Site is another page: nothing of one may be left in the other.
    <SiteId key={siteId} value={siteId}>
      <Frame />
    </SiteId>
  );
}

function Frame(): ReactNode {
  const text = useText(shellTexts);
  const ended = useSessionEnded();
  const { notices } = useAccount();
  const proofAsked = proofQuestion.useAsked();
  const locationAsked = locationQuestion.useAsked();
  const drawer = useRef<HTMLDialogElement>(null);
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main, drawer);
  return (
    <>
      <a className={styles.skip} href="#content">
        {text.skip}
      </a>
      {ended && <SessionEnded />}
      {proofAsked && <ProveAgain />}
      {locationAsked && <LocationQuestion />}
      <SearchEverywhere />
      <div className={styles.frame}>
        <header className={styles.bar}>
          <button type="button" className={styles.burger} onClick={() => drawer.current?.showModal()}>
            <Icon name="menu" size={22} />
            <span className={styles.unseen}>{text.menu}</span>
          </button>
          <SiteMenu />
          <SearchButton compact />
          <Bell />
          <AccountMenu compact />
        </header>
        <header className={styles.side}>
          <SiteMenu />
          <SearchButton />
          <Navigation />
          <AccountMenu />
        </header>
        <dialog ref={drawer} className={styles.drawer} aria-label={text.menu}>
          <button
            type="button"
            className={styles.burger}
            aria-label={text.close}
            onClick={() => drawer.current?.close()}
          >
            <Icon name="close" size={22} />
          </button>
          <Navigation onChosen={() => drawer.current?.close()} />
        </dialog>
        <main ref={main} id="content" tabIndex={-1} className={styles.main}>
          {notices.length > 0 && <SignInNotices />}
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </>
  );
}

/** After a change of the screen the focus is on its heading, not on what is gone; filters in the address keep it. */
function useFocusOnNavigation(
  main: RefObject<HTMLElement | null>,
  drawer: RefObject<HTMLDialogElement | null>,
): void {
  // When its screen is there, and not when it is asked for.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const keepsFocus = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.keepsFocus });
  const shown = useRef(pathname);
  useEffect(() => {
    const before = shown.current;
    shown.current = pathname;
    if (before === undefined || before === pathname) return;
    drawer.current?.close();
    if (keepsFocus === true) return;
    (main.current?.querySelector('h1') ?? main.current)?.focus({ preventScroll: true });
  }, [pathname, keepsFocus, main, drawer]);
}
