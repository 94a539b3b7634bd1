import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { navigation, navigationTexts } from '../navigation-items.ts';
import type { Found } from './result.ts';
import { searchTexts } from './text.ts';

/** The screens and actions whose name has every word of the text. */
export function usePlaces(q: string): readonly Found[] {
  const { id: siteId, rights } = useSite();
  const names = useText(navigationTexts);
  const { actions: text } = useText(searchTexts);
  const actions = [
    { label: text.article, path: 'articles/new', may: rights.can('articles:write') },
    { label: text.run, path: 'runs/new', may: rights.can('pipeline:run') },
    { label: text.upload, path: 'media', may: rights.can('media:write') },
    { label: text.account, path: 'account', may: true },
  ]
    .filter(({ may }) => may)
    .map(({ label, path }): Found => ({
      group: 'actions',
      label,
      isContent: false,
      to: `/${siteId}/${path}`,
    }));
  const screens = navigation.flatMap(({ items }) =>
    items
      .filter(({ may }) => may(rights))
      .map(({ to, name }): Found => ({
        group: 'screens',
        label: names[name],
        isContent: false,
        to: to.replace('$siteId', siteId),
      })),
  );
  const words = q.toLocaleLowerCase().split(/\s+/);
  const matches = ({ label }: Found): boolean =>
    words.every((word) => label.toLocaleLowerCase().includes(word));
  // Without a text, the actions are enough: the screens are in the navigation.
  return q === '' ? actions : [...actions, ...screens].filter(matches);
}
