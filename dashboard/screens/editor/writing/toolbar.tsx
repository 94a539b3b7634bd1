import { useRef } from 'react';
import type { ReactNode } from 'react';
import { useText } from '../../../text/texts.ts';
import { ActionIcon } from '../../../ui/controls.ts';
import { Icon } from '../../../ui/icons.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { insertLink, toggleCode, toggleEmphasis, toggleLines, toggleStrong } from '../markdown/marks.ts';
import type { TextView } from '../markdown/text-view.ts';
import { writingTexts } from './text.ts';
import styles from './writing.module.css';

export interface ToolbarProps {
  readonly editor: TextView | null;
  readonly onImages: (files: readonly File[]) => void;
}

const marks = [
  { name: 'strong', sign: 'B', run: toggleStrong, keys: 'Control+B' },
  { name: 'emphasis', sign: 'I', run: toggleEmphasis, keys: 'Control+I' },
  { name: 'heading', sign: 'H', run: toggleLines('## ') },
  { name: 'list', icon: 'list', run: toggleLines('- ') },
  { name: 'quote', icon: 'quote', run: toggleLines('> ') },
  { name: 'code', icon: 'code', run: toggleCode, keys: 'Control+E' },
  { name: 'link', icon: 'link', run: insertLink, keys: 'Control+Shift+K' },
] as const satisfies readonly {
  name: string;
  sign?: string;
  icon?: IconName;
  run: (view: TextView['view']) => boolean;
  keys?: string;
}[];

/** One stop of the Tab key; the arrow keys move in it. */
export function Toolbar({ editor, onImages }: ToolbarProps): ReactNode {
  const text = useText(writingTexts);
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const move = (key: string): boolean => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const now = buttons.findIndex((button) => button === document.activeElement);
    const isRtl = bar.current !== null && getComputedStyle(bar.current).direction === 'rtl';
    const step = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[key];
    if (step === undefined) return false;
    buttons.at((now + step) % buttons.length)?.focus();
    return true;
  };
  return (
    <div
      ref={bar}
      className={styles.toolbar}
      role="toolbar"
      aria-label={text.marks}
      onKeyDown={(event) => {
        if (move(event.key)) event.preventDefault();
      }}
    >
      {marks.map((mark, index) => (
        <ActionIcon
          key={mark.name}
          variant="subtle"
          color="gray"
          tabIndex={index === 0 ? 0 : -1}
          aria-label={text[mark.name]}
          title={text[mark.name]}
          aria-keyshortcuts={'keys' in mark ? mark.keys : undefined}
          onClick={() => editor !== null && mark.run(editor.view)}
        >
          {'icon' in mark ? <Icon name={mark.icon} /> : <b data-sign={mark.sign}>{mark.sign}</b>}
        </ActionIcon>
      ))}
      <ActionIcon
        variant="subtle"
        color="gray"
        tabIndex={-1}
        aria-label={text.image}
        title={text.image}
        onClick={() => input.current?.click()}
      >
        <Icon name="image" />
      </ActionIcon>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onImages([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
