import { useState } from 'react';
import { useFailure, fieldMessages } from '../../api/failure.ts';
import { useSite } from '../../session/site.ts';
import { toast } from '../../ui/toasts.tsx';
import { meaningOf } from '../../text/wall-time.ts';
import type { WallTime } from '../../text/wall-time.ts';
import type { Day } from './days.ts';
import type { Entry } from './entries.ts';
import { useMove } from './move.ts';

/** The dialog of an entry, and the move of one to another day at the same time of the day. */
export function useMoving() {
  const { timezone } = useSite();
  const failure = useFailure();
  const move = useMove();
  const [dialog, setDialog] = useState<{ entry: Entry; wall: WallTime } | null>(null);
  return {
    dialog,
    open: (entry: Entry): void => setDialog({ entry, wall: entry.wall }),
    close: (): void => setDialog(null),
    move: (entry: Entry, day: Day): void => {
      const wall = `${day}T${entry.wall.slice(11)}`;
      const meaning = meaningOf(wall, timezone);
      // A time that needs a word is asked for first, with that word at the field.
      if (meaning.kind !== 'once' || meaning.instant.getTime() <= Date.now())
        return setDialog({ entry, wall });
      const onError = (error: Error): void =>
        toast.error([failure(error), ...Object.values(fieldMessages(error))].join(' '));
      move.mutate({ entry, wall }, { onError });
    },
  };
}
