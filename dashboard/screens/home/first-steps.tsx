import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { CloseButton, VisuallyHidden } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink } from '../../ui/links.ts';
import type { Facts } from './facts.ts';
import styles from './home.module.css';
import { useSteps } from './steps.ts';
import type { Recent, Step } from './steps.ts';
import { stepTexts } from './text.ts';

const places = {
  article: '/$siteId/articles/$articleId',
  schedule: '/$siteId/calendar',
  webhook: '/$siteId/webhooks',
  invite: '/$siteId/team',
} as const satisfies Record<Step, string>;

const listen = (origin: string): string =>
  `npx presswork listen --base-url ${origin}/v1 --forward-to http://localhost:4000/webhooks --key "$KEY"`;

export interface FirstStepsProps {
  readonly facts: Facts;
  readonly recent: Recent;
}

/** The first steps of a newcomer; each step ticks itself when it has been done. */
export function FirstSteps({ facts, recent }: FirstStepsProps): ReactNode {
  const { id: siteId } = useSite();
  const text = useText(stepTexts);
  const { steps, done, isShown, hide } = useSteps(facts, recent);
  if (!isShown) return null;
  return (
    <section className={styles.steps} aria-labelledby="first-steps">
      <div className={styles.heading}>
        <h2 id="first-steps">{text.title}</h2>
        <span className={styles.progress}>{text.progress(done.length, steps.length)}</span>
        <CloseButton aria-label={text.hide} onClick={hide} />
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step} data-done={done.includes(step) || undefined}>
            <span className={styles.tick}>
              {done.includes(step) && <Icon name="check" size={14} />}
              <VisuallyHidden>{done.includes(step) ? text.done : text.open}</VisuallyHidden>
            </span>
            <div>
              <h3>{text[step].title}</h3>
              {!done.includes(step) && (
                <>
                  <p>{text[step].about}</p>
                  {step === 'webhook' && (
                    <CopyField
                      label={text.webhook.command}
                      value={listen(location.origin)}
                      about={text.webhook.key}
                    />
                  )}
                </>
              )}
            </div>
            {!done.includes(step) && (
              <ButtonLink to={places[step]} params={{ siteId, articleId: 'new' }} variant="default" size="sm">
                {text[step].action}
              </ButtonLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
