import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { useText } from '../../text/texts.ts';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import styles from './prompts.module.css';
import { voiceTexts } from './voice-text.ts';

/** The saved voice as stages are told it: a try that only renders is free. */
export function ToldVoice(): ReactNode {
  const text = useText(voiceTexts);
  const { data, error, refetch } = useItem({
    key: ['voice', 'told'],
    load: (presswork, options) =>
      presswork.prompts.try('classify', { template: '{{voice}}', topic: { title: '…' } }, options),
  });
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} retry={() => void refetch()} />;
  if (data.rendered === '') return <p>{text.toldNothing}</p>;
  return (
    // Whoever has no mouse scrolls it by keys.
    <pre className={styles.shown} tabIndex={0} dir="auto" aria-label={text.told}>
      {data.rendered}
    </pre>
  );
}
