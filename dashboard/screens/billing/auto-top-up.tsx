import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { PressworkError } from '../../../sdk/src/index.ts';
import type { AutoTopUp, AutoTopUpWrite } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { isPressworkError } from '../../api/queries.ts';
import { useText } from '../../text/texts.ts';
import { Button, NativeSelect, Switch, TextInput } from '../../ui/controls.ts';
import { fieldError, Form } from '../../ui/form.tsx';
import { useOffers } from './offers.ts';
import styles from './billing.module.css';
import { screenTexts } from './text.ts';

interface Typed {
  readonly enabled: boolean;
  readonly below: string;
  readonly pack: string;
  readonly monthly_limit: string;
}

const typedOf = ({ enabled, below, pack, monthly_limit: limit }: AutoTopUp): Typed => ({
  enabled,
  below: below === null ? '' : String(below),
  pack: pack ?? '',
  monthly_limit: limit === null ? '' : String(limit),
});

/** What is filled in; the API says what is missing. */
const sentOf = ({ enabled, below, pack, monthly_limit: limit }: Typed): AutoTopUpWrite => ({
  enabled,
  ...(below.trim() !== '' && { below: Number(below) }),
  ...(pack !== '' && { pack }),
  ...(limit.trim() !== '' && { monthly_limit: Number(limit) }),
});

/** When credits are bought by themselves. */
export function AutoTopUpForm({ saved }: { readonly saved: AutoTopUp }): ReactNode {
  const text = useText(screenTexts);
  const { data: offers } = useOffers();
  const [changed, setChanged] = useState<Partial<Typed>>({});
  const typed = { ...typedOf(saved), ...changed };
  const change = useChange({
    send: (presswork, values: Typed) => presswork.billing.updateAutoTopUp(sentOf(values)),
    touches: ['billing'],
    done: ({ enabled }) => (enabled ? text.savedOn : text.savedOff),
    onDone: () => setChanged({}),
    errors: 'here',
  });
  const error = useMemo(() => explained(change.error, text.noCard), [change.error, text.noCard]);
  const set = (part: Partial<Typed>): void => setChanged((before) => ({ ...before, ...part }));
  const isDirty = Object.keys(changed).length > 0;
  const packs = offers?.packs.map(({ name }) => ({ value: name, label: name })) ?? [];
  return (
    <section className={styles.section} aria-labelledby="top-up">
      <h2 id="top-up">{text.topUp}</h2>
      <p className={styles.soft}>{text.topUpAbout}</p>
      <div className={styles.short}>
        <Form
          onSubmit={() => change.mutate(typed)}
          error={error}
          isDirty={isDirty}
          actions={
            <Button type="submit" loading={change.isPending} disabled={!isDirty}>
              {text.save}
            </Button>
          }
        >
          <Switch
            label={text.enabled}
            checked={typed.enabled}
            onChange={({ currentTarget: { checked } }) => set({ enabled: checked })}
          />
          <TextInput
            label={text.below}
            inputMode="numeric"
            value={typed.below}
            onChange={({ currentTarget }) => set({ below: currentTarget.value })}
            {...fieldError(change.error, 'below')}
          />
          <NativeSelect
            label={text.packName}
            data={[{ value: '', label: text.choose }, ...packs]}
            value={typed.pack}
            onChange={({ currentTarget }) => set({ pack: currentTarget.value })}
            {...fieldError(change.error, 'pack')}
          />
          <TextInput
            label={text.limit}
            inputMode="numeric"
            value={typed.monthly_limit}
            onChange={({ currentTarget }) => set({ monthly_limit: currentTarget.value })}
            {...fieldError(change.error, 'monthly_limit')}
          />
        </Form>
      </div>
    </section>
  );
}

/** The API names an operation where a person has to do something. */
function explained(error: Error | null, noCard: string): Error | null {
  if (!isPressworkError(error) || error.code !== 'PREREQUISITE_MISSING') return error;
  return new PressworkError(error.code, noCard, { status: error.status, requestId: error.requestId });
}
