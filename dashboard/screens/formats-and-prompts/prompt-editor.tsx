import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Prompt } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useBase } from '../../api/form-base.ts';
import { useSite } from '../../api/site.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Button, Textarea } from '../../ui/controls.ts';
import { Form, fieldError } from '../../ui/form.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { PlaceholderList } from './placeholder-list.tsx';
import { placeholdersOf, written } from './placeholders.ts';
import type { Stage } from './stage.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { screenTexts } from './text.ts';
import styles from './prompts.module.css';

const TryDialog = onDemand(async () => (await import('./try-dialog.tsx')).TryDialog);

export interface PromptEditorProps {
  readonly stage: Stage;
  readonly prompt: Prompt;
  /** Everything that is filled in at some stage. */
  readonly known: ReadonlySet<string>;
}

/** The template of a stage. A save is a new version; none is ever lost. */
export function PromptEditor({ stage, prompt, known }: PromptEditorProps): ReactNode {
  const { prompts: text, versions } = useText(screenTexts);
  const { rights } = useSite();
  const version = prompt.override?.version ?? 0;
  const [typed, setTyped] = useState<string | null>(null);
  // A version that is saved meanwhile is said, and does not replace what the person types.
  const [base, setBase] = useBase(prompt, typed === null);
  const began = base.override?.template ?? base.default.template;
  const template = typed ?? began;
  const setTemplate = (to: string): void => setTyped(to === began ? null : to);
  const [dialog, setDialog] = useState<'reset' | 'compare' | 'try' | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const isDirty = template !== began;
  const begin = (override: Prompt['override']): void => {
    setBase({ ...prompt, override });
    setTyped(null);
  };
  const save = useChange({
    send: (presswork, body: { template: string }) => presswork.prompts.save(stage, body),
    touches: ['prompts', 'prompt-versions'],
    done: (saved) => text.saved(saved.version),
    onDone: (saved) => begin(saved),
    errors: 'here',
  });
  const reset = useChange({
    send: (presswork) => presswork.prompts.reset(stage),
    touches: ['prompts', 'prompt-versions'],
    done: () => text.resetDone,
    onDone: () => begin(null),
    errors: 'here',
  });
  const insert = (name: string): void => {
    const { current } = area;
    const [from, to] = [current?.selectionStart ?? template.length, current?.selectionEnd ?? template.length];
    setTemplate(template.slice(0, from) + written(name) + template.slice(to));
    current?.focus();
    const at = from + written(name).length;
    requestAnimationFrame(() => current?.setSelectionRange(at, at));
  };
  return (
    <>
      <Form
        onSubmit={() => save.mutate({ template })}
        error={save.error}
        isDirty={isDirty}
        actions={
          <>
            <Button type="submit" loading={save.isPending} disabled={!isDirty}>
              {text.save}
            </Button>
            {isDirty && (
              <Button variant="default" onClick={() => setTyped(null)}>
                {text.discard}
              </Button>
            )}
            {rights.can('pipeline:run') && template !== '' && (
              <Button variant="default" onClick={() => setDialog('try')}>
                {text.try}
              </Button>
            )}
            {prompt.override !== null && (
              <>
                <Button variant="default" onClick={() => setDialog('compare')}>
                  {text.compare}
                </Button>
                <Button variant="subtle" onClick={() => setDialog('reset')}>
                  {text.reset}
                </Button>
              </>
            )}
          </>
        }
      >
        <Textarea
          ref={area}
          label={text.template}
          description={text.templateAbout}
          dir="auto"
          spellCheck={false}
          autosize
          minRows={12}
          maxRows={20}
          classNames={{ input: styles.template ?? '' }}
          value={template}
          onChange={({ currentTarget }) => setTemplate(currentTarget.value)}
          {...fieldError(save.error, 'template')}
        />
        <Notes
          template={template}
          prompt={prompt}
          known={known}
          newer={isDirty && version !== (base.override?.version ?? 0) ? version : null}
        />
        <PlaceholderList names={prompt.placeholders} used={placeholdersOf(template)} onInsert={insert} />
      </Form>
      <ConfirmDialog
        opened={dialog === 'reset'}
        onClose={() => setDialog(null)}
        title={text.resetTitle}
        action={text.reset}
        onConfirm={() => reset.mutateAsync()}
      >
        {text.resetAbout}
      </ConfirmDialog>
      {dialog === 'try' && <TryDialog stage={stage} template={template} onClose={() => setDialog(null)} />}
      {dialog === 'compare' && (
        <CompareDialog
          title={versions.platformDialog}
          before={prompt.default.template}
          after={template}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

interface NotesProps {
  readonly template: string;
  readonly prompt: Prompt;
  readonly known: ReadonlySet<string>;
  /** The version that was saved while the person typed. */
  readonly newer: number | null;
}

/** What the API would accept, and what is probably not meant. */
function Notes({ template, prompt, known, newer }: NotesProps): ReactNode {
  const { prompts: text } = useText(screenTexts);
  const format = useFormat();
  const used = placeholdersOf(template);
  const list = (names: readonly string[]): string => format.list(names.map(written));
  const missing = prompt.placeholders.filter((name) => !used.includes(name));
  const unknown = used.filter((name) => !known.has(name));
  return (
    <div role="status" className={styles.notes}>
      {newer !== null && <p>{text.newer(newer)}</p>}
      {unknown.length > 0 && <p>{text.unknown(list(unknown))}</p>}
      {missing.length > 0 && <p>{text.missing(list(missing))}</p>}
    </div>
  );
}
