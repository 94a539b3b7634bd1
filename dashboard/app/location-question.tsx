import type { ReactNode } from 'react';
import { locationQuestion } from '../session/question.ts';
import { texts, useText } from '../text/texts.ts';
import { Button } from '../ui/controls.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from './location-question.module.css';

const locationTexts = texts(
  {
    title: 'This photograph says where it was taken',
    about:
      'Whoever downloads it from your website could read the place. Your answer is for all that you upload until you load this page again.',
    remove: 'Remove the place',
    keep: 'Upload as it is',
  },
  {
    title: 'Dieses Foto verrät, wo es aufgenommen wurde',
    about:
      'Wer es von Ihrer Website lädt, kann den Ort lesen. Ihre Antwort gilt für alles, was Sie hochladen, bis Sie diese Seite neu laden.',
    remove: 'Ort entfernen',
    keep: 'Unverändert hochladen',
  },
);

/** Asks whether the place is removed from photographs before they are uploaded. */
export function LocationQuestion(): ReactNode {
  const text = useText(locationTexts);
  return (
    <Dialog opened title={text.title} closesOutside={false} onClose={() => locationQuestion.settle(true)}>
      <p>{text.about}</p>
      <div className={styles.answers}>
        <Button data-autofocus onClick={() => locationQuestion.settle(true)}>
          {text.remove}
        </Button>
        <Button variant="default" onClick={() => locationQuestion.settle(false)}>
          {text.keep}
        </Button>
      </div>
    </Dialog>
  );
}
