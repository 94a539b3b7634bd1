import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Button, Menu } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { search } from './search.ts';
import type { Filters } from './search.ts';
import { viewTexts } from './view-text.ts';

const NameDialog = onDemand(async () => (await import('./name-dialog.tsx')).NameDialog);

interface View {
  readonly name: string;
  readonly filters: Filters;
}

/** Views of a Site in this browser, read like an address. */
function readViews(place: string): readonly View[] {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '[]') as readonly View[];
    return kept.map(({ name, filters }) => ({ name, filters: search({ ...filters }) }));
  } catch {
    return [];
  }
}

export interface SavedViewsProps {
  readonly filters: Filters;
  readonly onOpen: (filters: Filters) => void;
}

/** Filters under a name. */
export function SavedViews({ filters, onOpen }: SavedViewsProps): ReactNode {
  const text = useText(viewTexts);
  const place = `presswork.views.${useSite().id}`;
  const [views, setViews] = useState(() => readViews(place));
  const [isNaming, setNaming] = useState(false);
  const keep = (next: readonly View[]): void => {
    localStorage.setItem(place, JSON.stringify(next));
    setViews(next);
  };
  const current = views.find((view) => JSON.stringify(view.filters) === JSON.stringify(filters));
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default">{current?.name ?? text.views}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{text.none}</Menu.Label>}
          {views.map(({ name, filters }) => (
            <Menu.Item key={name} dir="auto" onClick={() => onOpen(filters)}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={Object.keys(filters).length === 0} onClick={() => setNaming(true)}>
            {text.save}
          </Menu.Item>
          {current !== undefined && (
            <Menu.Item color="red" onClick={() => keep(views.filter((view) => view !== current))}>
              {text.remove(current.name)}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep([...views.filter((view) => view.name !== name), { name, filters }]);
            setNaming(false);
          }}
        />
      )}
    </>
  );
}
