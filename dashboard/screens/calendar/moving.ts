import { useState } from 'react';
import { useFailure, fieldMessages } from '../../api/failure.ts';
import { useSite } from '../../api/site.ts';
import { toast } from '../../session/toast.ts';
import { meaningOf } from '../../text/wall-time.ts';
import type { Day } from './days.ts';
import type { Entry } from './entries.ts';
import { focusOn } from './entry.tsx';
import type { EntryDialogProps } from './entry-dialog.tsx';
import { ChangedMeanwhile, useMove } from './move.ts';

/** The dialog of an entry, and the move of one to another day at the same time of the day. */
export function useMoving() {
  const { timezone } = useSite();
  const failure = useFailure();
  const move = useMove();
  const [dialog, setDialog] = useState<Omit<EntryDialogProps, 'onClose' | 'onMoved'> | null>(null);
  return {
    dialog,
    open: (entry: Entry): void => setDialog({ entry, wall: entry.wall, refusal: null }),
    close: (): void => setDialog(null),
    /** The button that opened the dialog is gone: the entry has another one on its new day. */
    moved: (entry: Entry): void => {
      setDialog(null);
      setTimeout(() => focusOn(entry));
    },
    move: (entry: Entry, day: Day): void => {
      const wall = `${day}T${entry.wall.slice(11)}`;
      const meaning = meaningOf(wall, timezone);
      // A time that needs a word is asked for first, with that word at the field.
      if (meaning.kind !== 'once' || meaning.instant.getTime() <= Date.now())
        return setDialog({ entry, wall, refusal: null });
      const onError = (error: Error): void =>
        error instanceof ChangedMeanwhile && error.time !== null
          ? setDialog({ entry, wall, refusal: error })
          : toast.error([failure(error), ...Object.values(fieldMessages(error))].join(' '));
      move.mutate({ entry, wall }, { onError });
    },
  };
}
