import { useCallback } from 'react';
import { PressworkError } from '../../../sdk/src/index.ts';
import { isPressworkError } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { startTexts } from './text.ts';

/** The refusals of a run say what to do, and who can. */
export function useRefusal(): (error: Error | null) => Error | null {
  const { refusals } = useText(startTexts);
  return useCallback(
    (error) => {
      if (!isPressworkError(error)) return error;
      const { code, status, fields, requestId } = error;
      const message: string | undefined = refusals[code as keyof typeof refusals];
      return message === undefined ? error : new PressworkError(code, message, { status, fields, requestId });
    },
    [refusals],
  );
}
