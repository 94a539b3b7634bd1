import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Result, Voice as VoiceObject } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { differing, useBase } from '../../api/form-base.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { isConflict } from '../../api/queries.ts';
import { linesOf } from '../../content/lines.ts';
import { useText } from '../../text/texts.ts';
import { Button, Textarea } from '../../ui/controls.ts';
import { Form, fieldError } from '../../ui/form.tsx';
import { ErrorNote, Loading } from '../../ui/notes.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { SamplesField } from './samples-field.tsx';
import { wordsOf, writtenWords } from './vocabulary.ts';
import { voiceTexts } from './voice-text.ts';

const VoiceFromArticles = onDemand(async () => (await import('./voice-from-articles.tsx')).VoiceFromArticles);
const ToldVoice = onDemand(async () => (await import('./told-voice.tsx')).ToldVoice);

/** How the blog sounds, for every stage of the pipeline. */
export function Voice(): ReactNode {
  const { data, error, refetch } = useItem({
    key: ['voice'],
    load: (presswork, options) => presswork.voice.get(options),
  });
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorNote error={error} retry={() => void refetch()} />;
  return <VoiceForm read={data} />;
}

/** The values of the fields. */
interface Typed {
  readonly audience: string;
  readonly tone: string;
  readonly do: string;
  readonly avoid: string;
  readonly vocabulary: string;
  readonly sample_article_ids: readonly string[];
}

const typedOf = (voice: VoiceObject): Typed => ({
  audience: voice.audience ?? '',
  tone: voice.tone ?? '',
  do: voice.do.join('\n'),
  avoid: voice.avoid.join('\n'),
  vocabulary: writtenWords(voice.vocabulary),
  sample_article_ids: voice.sample_article_ids,
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The members that a person changed, as the API takes them. */
const sentOf = ({ audience, tone, do: rules, avoid, vocabulary, sample_article_ids }: Partial<Typed>) => ({
  ...(audience !== undefined && { audience: orNull(audience) }),
  ...(tone !== undefined && { tone: orNull(tone) }),
  ...(rules !== undefined && { do: linesOf(rules) }),
  ...(avoid !== undefined && { avoid: linesOf(avoid) }),
  ...(vocabulary !== undefined && { vocabulary: wordsOf(vocabulary) }),
  ...(sample_article_ids !== undefined && { sample_article_ids }),
});

const fields = [
  ['audience', 2],
  ['tone', 2],
  ['do', 3],
  ['avoid', 3],
  ['vocabulary', 3],
] as const;

function VoiceForm({ read }: { readonly read: Result<VoiceObject> }): ReactNode {
  const text = useText(voiceTexts);
  const { rights } = useSite();
  const mayTry = rights.can('pipeline:run');
  const [making, setMaking] = useState(false);
  const [told, setTold] = useState(false);
  const [changed, setChanged] = useState<Partial<Typed>>({});
  const isDirty = Object.keys(changed).length > 0;
  const [base, setBase] = useBase(read, !isDirty);
  const saved = typedOf(base);
  const typed = { ...saved, ...changed };
  const change = useChange({
    send: async (presswork, values: Partial<Typed>) => {
      try {
        return await presswork.voice.update(sentOf(values), { ifMatch: base });
      } catch (error) {
        if (isConflict(error)) setBase(await presswork.voice.get());
        throw error;
      }
    },
    touches: ['voice'],
    done: () => text.saved,
    onDone: (newer) => {
      setBase(newer);
      setChanged({});
    },
    errors: 'here',
  });
  const set = (values: Partial<Typed>): void =>
    setChanged((before) => differing(saved, { ...before, ...values }));
  const hasConflict = isConflict(change.error);
  return (
    <>
      <Form
        onSubmit={() => change.mutate(changed)}
        error={hasConflict ? null : change.error}
        isDirty={isDirty}
        actions={
          <>
            <Button type="submit" loading={change.isPending} disabled={!isDirty}>
              {text.save}
            </Button>
            {isDirty && (
              <Button variant="default" onClick={() => setChanged({})}>
                {text.discard}
              </Button>
            )}
            {mayTry && (
              <Button variant="default" onClick={() => setMaking(true)}>
                {text.fromArticles.open}
              </Button>
            )}
          </>
        }
      >
        <p>{text.about}</p>
        {hasConflict && <p role="alert">{text.conflict}</p>}
        {fields.map(([name, rows]) => (
          <Textarea
            key={name}
            label={text.fields[name]}
            description={text.fieldsAbout[name]}
            dir="auto"
            autosize
            minRows={rows}
            maxRows={14}
            value={typed[name]}
            onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
            {...fieldError(change.error, name)}
          />
        ))}
        <SamplesField
          ids={typed.sample_article_ids}
          onChange={(ids) => set({ sample_article_ids: ids })}
          error={change.error}
        />
      </Form>
      {mayTry && (
        <details onToggle={({ currentTarget }) => setTold(currentTarget.open)}>
          <summary>{text.told}</summary>
          {told && <ToldVoice />}
        </details>
      )}
      {making && (
        <VoiceFromArticles
          typed={typed}
          onTake={(values, sampleIds) => set({ ...values, sample_article_ids: sampleIds })}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}
