import { useText } from '../../text/texts.ts';
import { toast } from '../../session/toast.ts';
import { screenTexts } from './text.ts';

/** Copies a text and says so, or what to do if the browser does not allow it. */
export function useCopy(): (value: string, said: string) => void {
  const text = useText(screenTexts);
  return (value, said) => {
    navigator.clipboard.writeText(value).then(
      () => toast.done(said),
      () => toast.error(text.copyRefused),
    );
  };
}
