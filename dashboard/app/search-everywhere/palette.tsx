import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useFailure } from '../../api/failure.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { Modal, useDebouncedValue } from '../../ui/controls.ts';
import { Icon } from '../../ui/icons.tsx';
import { useContent } from './content.ts';
import styles from './palette.module.css';
import { usePlaces } from './places.ts';
import { recentlyOpened, rememberOpened } from './recent.ts';
import type { Found } from './result.ts';
import { Results } from './results.tsx';
import { searchTexts } from './text.ts';

const WAIT_MS = 200;

/** Finds whatever can be opened, by keyboard alone: the focus stays in the field, and the arrows choose. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(searchTexts);
  const [typed, setTyped] = useState('');
  const { results, q, status, error } = useResults(typed);
  const navigate = useNavigate();
  const list = useId();
  const open = (found: Found): void => {
    rememberOpened(siteId, { ...found, label: labelOf(found, q, text) });
    onClose();
    void navigate({ to: found.to, search: found.search ?? {} } as never);
  };
  const { chosen, setChosen, onKeyDown } = useChoice(results, open, q);
  const failure = useFailure();
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="10vh"
      title={text.title}
      classNames={{ header: styles.unseen ?? '' }}
      returnFocus
    >
      <div className={styles.field}>
        <Icon name="search" size={20} />
        <input
          type="text"
          role="combobox"
          dir="auto"
          aria-label={text.title}
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={chosen === null ? undefined : `${list}-${chosen}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder={text.placeholder}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Results
        id={list}
        results={results}
        chosen={chosen}
        labelOf={(found) => labelOf(found, q, text)}
        onOpen={open}
        onChoose={setChosen}
      />
      {error !== null && (
        <p className={styles.failed} role="alert">
          {text.failed} {failure(error)}
        </p>
      )}
      <p className={styles.status}>
        <span role="status">{status}</span>
        <span>{text.hint}</span>
      </p>
    </Modal>
  );
}

type Words = ReturnType<typeof useText<(typeof searchTexts)['en']>>;

const labelOf = ({ label, isContent }: Found, q: string, text: Words): string =>
  label !== '' ? label : isContent ? text.untitled : text.all(q);

function useResults(typed: string) {
  const { id: siteId } = useSite();
  const text = useText(searchTexts);
  const wanted = typed.trim();
  const [q] = useDebouncedValue(wanted, WAIT_MS);
  const places = usePlaces(wanted);
  const { found, isSearching, error } = useContent(wanted === '' ? '' : q);
  const results = wanted === '' ? [...recentlyOpened(siteId), ...places] : [...found, ...places];
  const isReady = wanted === q && !isSearching;
  const outcome = results.length === 0 && error === null ? text.none(q) : text.count(results.length);
  return { results, q: wanted, error, status: isReady ? outcome : text.searching };
}

/** Which result Enter opens: the first one after each change of the text. */
function useChoice(results: readonly Found[], open: (found: Found) => void, q: string) {
  const [index, setChosen] = useState(0);
  const shown = useRef(q);
  useEffect(() => {
    if (shown.current !== q) setChosen(0);
    shown.current = q;
  }, [q]);
  const last = results.length - 1;
  const chosen = last < 0 ? null : Math.min(index, last);
  const steps: Readonly<Record<string, (at: number) => number>> = {
    ArrowDown: (at) => (at === last ? 0 : at + 1),
    ArrowUp: (at) => (at === 0 ? last : at - 1),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An input method uses these keys itself.
    if (chosen === null || event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    const found = results[chosen];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step !== undefined) setChosen(step(chosen));
    else if (found !== undefined) open(found);
  };
  return { chosen, setChosen, onKeyDown };
}
