import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { SiteTime } from '../../ui/times.tsx';
import styles from './screen.module.css';
import { screenTexts } from './text.ts';

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Change {
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly value?: unknown;
}

/** Each member that changed. A row has them by member, or both versions as a whole. */
export function changesOf(details: Values): readonly Change[] {
  const { before, after } = details;
  if (isValues(before) && isValues(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
      name,
      before: before[name] ?? null,
      after: after[name] ?? null,
    }));
  return Object.entries(details).map(([name, value]) =>
    isValues(value) && ('before' in value || 'after' in value)
      ? { name, before: value['before'] ?? null, after: value['after'] ?? null }
      : { name, value },
  );
}

/** What an entry says besides who did what: both values of what changed, and the others. */
export function Details({
  details,
  request,
}: {
  readonly details: Values;
  readonly request: string | null;
}): ReactNode {
  const text = useText(screenTexts);
  const changes = changesOf(details);
  return (
    <dl className={styles.details}>
      {changes.map((change) => (
        <div key={change.name}>
          <dt>{change.name}</dt>
          {'value' in change ? (
            <dd>
              <Value value={change.value} />
            </dd>
          ) : (
            <>
              <dd>
                <del aria-label={text.before}>
                  <Value value={change.before} />
                </del>
              </dd>
              <dd>
                <ins aria-label={text.after}>
                  <Value value={change.after} />
                </ins>
              </dd>
            </>
          )}
        </div>
      ))}
      {request !== null && (
        <div>
          <dt>{text.request}</dt>
          <dd>
            <code>{request}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** As the API writes them. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function Value({ value }: { readonly value: unknown }): ReactNode {
  const text = useText(screenTexts);
  if (value === null || value === undefined) return <i>{text.nothing}</i>;
  if (typeof value === 'string' && time.test(value)) return <SiteTime time={value} />;
  return <span dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</span>;
}
