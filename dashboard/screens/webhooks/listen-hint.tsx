import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import styles from './screen.module.css';
import { screenTexts } from './text.ts';

/** How to see events on one's own computer. */
export function ListenHint(): ReactNode {
  const { listen } = useText(screenTexts);
  const code = [
    'npx presswork listen \\',
    '  --forward-to http://127.0.0.1:4000/webhooks \\',
    `  --base-url ${location.origin}/v1 \\`,
    '  --key "$PRESSWORK_API_KEY"',
  ].join('\n');
  return (
    <section className={styles.listen}>
      <h2>{listen.title}</h2>
      <p>{listen.about}</p>
      <CodeBlock title={listen.code} code={code} />
    </section>
  );
}
