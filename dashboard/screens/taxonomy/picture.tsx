import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './picture.module.css';

export interface PictureProps {
  readonly name: string;
  readonly url: string | null;
  readonly size?: number;
}

/** The picture of an author. One from elsewhere is not loaded: the letter stands for it. */
export function Picture({ name, url, size = 28 }: PictureProps): ReactNode {
  const origin = useMediaOrigin(url !== null);
  return url !== null && originOf(url) === origin ? (
    <img src={url} alt="" width={size} height={size} loading="lazy" className={styles.picture} />
  ) : (
    <Avatar name={name} size={size} />
  );
}

/** Where the Site's media are; other hosts may not be loaded from, and would learn who looks. */
function useMediaOrigin(enabled: boolean): string | null {
  const mayRead = useSite().rights.can('media:read');
  const { data } = useItem({
    key: ['media', 'origin'],
    load: async (presswork, options) => {
      const { items } = await presswork.media.list({ limit: 1, fields: ['url'] }, options);
      return { origin: originOf(items[0]?.url ?? null) };
    },
    enabled: enabled && mayRead,
  });
  return data?.origin ?? location.origin;
}

const originOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).origin : null;
