import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { texts, useText } from '../../text/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useMayWrite } from './article/use-article.ts';
import styles from './editor.module.css';

const keyTexts = texts(
  {
    title: 'Keyboard',
    save: 'Save now; it also happens by itself',
    publish: 'Publish or schedule',
    strong: 'Bold',
    emphasis: 'Italic',
    code: 'Code',
    link: 'Link',
    find: 'Find and replace in the text',
    undo: 'Undo',
    problems: 'List what could be better in the text',
    leave: 'Leave the text, as Tab does',
    keys: 'This list, when no field has the focus',
  },
  {
    title: 'Tastatur',
    save: 'Jetzt speichern; es geschieht auch von selbst',
    publish: 'Veröffentlichen oder planen',
    strong: 'Fett',
    emphasis: 'Kursiv',
    code: 'Code',
    link: 'Link',
    find: 'Im Text suchen und ersetzen',
    undo: 'Rückgängig',
    problems: 'Auflisten, was am Text besser sein könnte',
    leave: 'Den Text verlassen, wie mit Tab',
    keys: 'Diese Liste, außerhalb eines Feldes',
  },
);

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
const mod = isMac ? '⌘' : 'Ctrl';

const keys = [
  ['save', [mod, 'S']],
  ['publish', [mod, 'Enter']],
  ['strong', [mod, 'B']],
  ['emphasis', [mod, 'I']],
  ['code', [mod, 'E']],
  ['link', [mod, 'Shift', 'K']],
  ['find', [mod, 'F']],
  ['undo', [mod, 'Z']],
  ['problems', [mod, 'Shift', 'M']],
  ['leave', ['Esc']],
  ['keys', ['?']],
] as const;

/** Those of people who may not write. */
const readersKeys: readonly string[] = ['find', 'leave', 'keys'];

export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText(keyTexts);
  const mayWrite = useMayWrite();
  const { rights } = useSite();
  return (
    <Dialog opened onClose={onClose} title={text.title}>
      <dl className={styles.keys}>
        {keys
          .filter(([name]) => mayWrite || readersKeys.includes(name))
          .filter(([name]) => rights.publishes || name !== 'publish')
          .map(([name, combination]) => (
            <div key={name}>
              <dt>
                <span className={styles.unseen}>{combination.join(' ')}</span>
                <KeyHint keys={combination} />
              </dt>
              <dd>{text[name]}</dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
