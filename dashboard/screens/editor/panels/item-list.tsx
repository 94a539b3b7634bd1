import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { ActionIcon, Button } from '../../../ui/controls.ts';
import { Icon } from '../../../ui/icons.tsx';
import { panelTexts } from './text.ts';
import styles from './panels.module.css';

/** The API takes no more. */
const MOST = 100;

export interface ItemListProps<Item> {
  readonly title: string;
  readonly items: readonly Item[] | null;
  /** Null when the last one is removed. */
  readonly onChange: (items: Item[] | null) => void;
  /** The name of an item, such as “question 2”. */
  readonly nameOf: (number: number) => string;
  readonly add: string;
  readonly empty: Item;
  readonly error: string | undefined;
  readonly children: (item: Item, set: (item: Item) => void, index: number) => ReactNode;
}

/** Items in an order, which buttons change. */
export function ItemList<Item>(props: ItemListProps<Item>): ReactNode {
  const { title, onChange, nameOf, add, empty, error, children } = props;
  const items = props.items ?? [];
  const text = useText(panelTexts);
  const set = (changed: Item[]): void => onChange(changed.length === 0 ? null : changed);
  const swap = (index: number): void => {
    const [one, other] = [items[index], items[index + 1]] as [Item, Item];
    set(items.toSpliced(index, 2, other, one));
  };
  return (
    <section className={styles.block}>
      <h2>{title}</h2>
      {error !== undefined && <p role="alert">{error}</p>}
      <ol className={styles.items}>
        {items.map((item, index) => {
          const name = nameOf(index + 1);
          return (
            // They have no ids, and their order is what is edited.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles.item}>
              <div className={styles.fields}>
                {children(item, (changed) => set(items.with(index, changed)), index)}
              </div>
              <div className={styles.moves}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={index === 0}
                  aria-label={text.up(name)}
                  onClick={() => swap(index - 1)}
                >
                  <Icon name="up" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={index === items.length - 1}
                  aria-label={text.down(name)}
                  onClick={() => swap(index)}
                >
                  <Icon name="down" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={text.remove(name)}
                  onClick={() => set(items.toSpliced(index, 1))}
                >
                  <Icon name="close" />
                </ActionIcon>
              </div>
            </li>
          );
        })}
      </ol>
      <div>
        <Button
          size="compact-sm"
          variant="default"
          disabled={items.length >= MOST}
          onClick={() => set([...items, empty])}
        >
          {add}
        </Button>
      </div>
    </section>
  );
}
