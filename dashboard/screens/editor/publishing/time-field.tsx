import type { ReactNode } from 'react';
import { useSite } from '../../../api/site.ts';
import { useFormat } from '../../../text/format.ts';
import { useText } from '../../../text/texts.ts';
import { Button, Radio, Stack, TextInput } from '../../../ui/controls.ts';
import { publishTexts } from './text.ts';
import { meaningOf, ownTimeZone } from '../../../text/wall-time.ts';
import type { Meaning, WallTime } from '../../../text/wall-time.ts';
import styles from './schedule.module.css';

export interface ChosenTime {
  readonly wall: WallTime;
  /** Which one, of a time that exists twice. */
  readonly which: 'first' | 'second';
}

/** The instant that was chosen; null if there is none, or it has passed. */
export function instantOf({ wall, which }: ChosenTime, timeZone: string, now: number): Date | null {
  const meaning = meaningOf(wall, timeZone);
  const instant =
    meaning.kind === 'once' ? meaning.instant : meaning.kind === 'twice' ? meaning[which] : null;
  return instant !== null && instant.getTime() > now ? instant : null;
}

export interface TimeFieldProps {
  readonly value: ChosenTime;
  readonly onChange: (value: ChosenTime) => void;
  /** Of the API. */
  readonly error: string | undefined;
}

/** A time on the clock of the Site, with what it is on the person's own. */
export function TimeField({ value, onChange, error }: TimeFieldProps): ReactNode {
  const text = useText(publishTexts);
  const { timezone } = useSite();
  const meaning = meaningOf(value.wall, timezone);
  const instant = instantOf(value, timezone, 0);
  const isPast = instant !== null && instant.getTime() <= Date.now();
  const problem = meaning.kind === 'never' ? text.never : isPast ? text.past : undefined;
  return (
    <Stack gap="xs">
      <TextInput
        type="datetime-local"
        label={text.time}
        description={text.siteClock(timezone)}
        value={value.wall}
        error={problem ?? error}
        onChange={({ currentTarget }) => onChange({ wall: currentTarget.value.slice(0, 16), which: 'first' })}
      />
      <Choices meaning={meaning} value={value} onChange={onChange} />
      {instant !== null && !isPast && <Clocks instant={instant} />}
    </Stack>
  );
}

function Choices({
  meaning,
  value,
  onChange,
}: Omit<TimeFieldProps, 'error'> & { readonly meaning: Meaning }): ReactNode {
  const text = useText(publishTexts);
  const { timezone } = useSite();
  const format = useFormat();
  if (meaning.kind === 'never') {
    const { instead } = meaning;
    return (
      <div>
        <Button size="xs" variant="default" onClick={() => onChange({ wall: instead, which: 'first' })}>
          {text.useInstead(instead.slice(11))}
        </Button>
      </div>
    );
  }
  if (meaning.kind !== 'twice') return null;
  const named = (instant: Date): string => format.zoned(instant, timezone);
  return (
    <Radio.Group
      label={text.twice}
      value={value.which}
      onChange={(which) => onChange({ ...value, which: which === 'second' ? 'second' : 'first' })}
    >
      <Stack gap={6} mt={6}>
        <Radio value="first" label={named(meaning.first)} />
        <Radio value="second" label={named(meaning.second)} />
      </Stack>
    </Radio.Group>
  );
}

/** The same instant on both clocks. */
function Clocks({ instant }: { readonly instant: Date }): ReactNode {
  const text = useText(publishTexts);
  const { timezone } = useSite();
  const format = useFormat();
  const zones = [
    [text.onSite, timezone],
    [text.yours, ownTimeZone()],
  ] as const;
  return (
    <dl className={styles.clocks}>
      {zones.map(([name, zone]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <time dateTime={instant.toISOString()}>{format.zoned(instant, zone)}</time>
          </dd>
        </div>
      ))}
    </dl>
  );
}
