import {
  createContext,
  useContext,
  useEffect,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useAccount } from '../../../session/account.ts';
import { useSite } from '../../../api/site.ts';
import { ArticleSession } from './article-session.ts';
import type { SaveState } from '../saving/save-state.ts';

export type OpenedArticle =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly session: ArticleSession }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void };

/** @param articleId null for a new article, which stays open when it gets an id */
export function useOpenArticle(articleId: string | null): OpenedArticle {
  const { id: siteId, presswork, rights } = useSite();
  const mayWrite = rights.can('articles:write');
  const { email } = useAccount();
  const client = useQueryClient();
  const [opened, setOpened] = useState<OpenedArticle>({ kind: 'opening' });
  const [tries, retry] = useReducer((count: number) => count + 1, 0);
  const [, showDevice] = useReducer((count: number) => count + 1, 0);
  const current = useRef<ArticleSession | null>(null);

  useEffect(() => {
    if (current.current !== null && current.current.saver.state.base.id === articleId && articleId !== null)
      return;
    let isWanted = true;
    void current.current?.close();
    current.current = null;
    setOpened({ kind: 'opening' });
    const onSaved = (): void => void client.invalidateQueries({ queryKey: [siteId, 'articles'] });
    ArticleSession.open({ siteId, presswork, email, mayWrite, onSaved }, articleId, showDevice).then(
      (session) => {
        if (!isWanted) return void session.close();
        current.current = session;
        setOpened({ kind: 'open', session });
      },
      (error: unknown) => {
        if (isWanted) setOpened({ kind: 'failed', error, retry });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [articleId, siteId, presswork, email, mayWrite, client, tries]);

  useEffect(() => () => void current.current?.close(), []);
  useWorld(current);
  return opened;
}

/** Events outside of the editor: the page is hidden or seen again, or the connection is back. */
function useWorld(current: { readonly current: ArticleSession | null }): void {
  useEffect(() => {
    const seen = (): void => {
      if (document.visibilityState === 'hidden') return current.current?.hide();
      current.current?.saver.dispatch({ kind: 'look' });
      retry();
    };
    const retry = (): void => {
      const saver = current.current?.saver;
      if (saver?.state.phase === 'waiting' || saver?.state.phase === 'signedOut')
        saver.dispatch({ kind: 'save' });
    };
    const hide = (): void => current.current?.hide();
    document.addEventListener('visibilitychange', seen);
    window.addEventListener('focus', retry);
    window.addEventListener('online', retry);
    window.addEventListener('pagehide', hide);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      window.removeEventListener('focus', retry);
      window.removeEventListener('online', retry);
      window.removeEventListener('pagehide', hide);
    };
  }, [current]);
}

const Session = createContext<ArticleSession | null>(null);
export const SessionProvider = Session.Provider;

/** @throws Error outside of an open article */
export function useSession(): ArticleSession {
  const session = useContext(Session);
  if (session === null) throw new Error('There is no open article here.');
  return session;
}

/** Whether the person may change what is open now. What has a time is for those who publish. */
export function useMayWrite(): boolean {
  const { mayWrite } = useSession();
  const { rights } = useSite();
  const isTimed = useSaving(({ base: { lifecycle } }) => hasTime(lifecycle));
  return mayWrite && (rights.publishes || !isTimed);
}

const hasTime = ({ status, edit_scheduled_at: editAt }: SaveState['base']['lifecycle']): boolean =>
  status === 'scheduled' || editAt !== null;

/** A part of the state of saving. The component renders again when that part has changed. */
export function useSaving<Part>(part: (state: SaveState) => Part): Part {
  const { saver } = useSession();
  return useSyncExternalStore(saver.subscribe, () => part(saver.state));
}
