import { useText } from '../../text/texts.ts';
import { toast } from '../../ui/toasts.tsx';
import { screenTexts } from './text.ts';

/** Copies a text and says so, or what to do if the browser does not allow it. */
export function useCopy(): (value: string, done: string) => void {
  const text = useText(screenTexts);
  return (value, done) => {
    navigator.clipboard.writeText(value).then(
      () => toast.done(done),
      () => toast.error(text.copyRefused),
    );
  };
}
