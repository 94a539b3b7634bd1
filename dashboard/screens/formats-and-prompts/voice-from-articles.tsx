import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PromptTried } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useSite } from '../../api/site.ts';
import { stageCosts } from '../../content/costs.ts';
import { LineDiff } from '../../content/line-diff-view.tsx';
import { useText } from '../../text/texts.ts';
import { Button, Group, Stack } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SamplesField } from './samples-field.tsx';
import { proposedFields, readProposal, templateOf } from './voice-proposal.ts';
import type { ProposedField, VoiceProposal } from './voice-proposal.ts';
import { voiceTexts } from './voice-text.ts';

export interface VoiceFromArticlesProps {
  /** The fields as they stand in the form. */
  readonly typed: VoiceProposal;
  readonly onTake: (values: Partial<VoiceProposal>, sampleIds: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Asks the writer what published articles sound like, and shows what that would change. */
export function VoiceFromArticles({ typed, onTake, onClose }: VoiceFromArticlesProps): ReactNode {
  const { fromArticles: text } = useText(voiceTexts);
  const { name } = useSite();
  const [ids, setIds] = useState<readonly string[]>([]);
  const attempt = useChange({
    send: async (presswork, chosen: readonly string[]) => {
      const samples = await Promise.all(
        chosen.map((id) => presswork.articles.get(id, { fields: ['title', 'content'] })),
      );
      const body = { template: templateOf(samples), topic: { title: name }, render_only: false };
      return { chosen, tried: await presswork.prompts.try('plan', body) };
    },
    touches: ['usage'],
    errors: 'here',
  });
  return (
    <Dialog opened onClose={onClose} title={text.title} size="xl" closesOutside={false}>
      <Form
        onSubmit={() => attempt.mutate(ids)}
        error={attempt.error}
        actions={
          <Button type="submit" loading={attempt.isPending} disabled={ids.length === 0}>
            {text.ask(stageCosts.plan)}
          </Button>
        }
      >
        <p>{text.about}</p>
        <SamplesField ids={ids} onChange={setIds} error={null} status="published" label={text.articles} />
      </Form>
      <Stack mt="md" gap={0} role="status">
        {attempt.data !== undefined && (
          <Outcome
            tried={attempt.data.tried}
            typed={typed}
            onTake={(values) => onTake(values, attempt.data.chosen)}
          />
        )}
      </Stack>
    </Dialog>
  );
}

interface OutcomeProps extends Pick<VoiceFromArticlesProps, 'typed'> {
  readonly tried: PromptTried;
  readonly onTake: (values: Partial<VoiceProposal>) => void;
}

function Outcome({ tried, typed, onTake }: OutcomeProps): ReactNode {
  const { fromArticles: text } = useText(voiceTexts);
  const proposal = tried.answer === null ? null : readProposal(tried.answer);
  const found = proposedFields.filter((name) => proposal !== null && proposal[name] !== '');
  return (
    <>
      <p>{text.spent(tried.credits_spent)}</p>
      {tried.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {proposal === null ? (
        <p>{text.nothing}</p>
      ) : (
        <>
          {found.map((name) => (
            <Proposed
              key={name}
              name={name}
              before={typed[name]}
              after={proposal[name]}
              onTake={() => onTake({ [name]: proposal[name] })}
            />
          ))}
          <Group mt="md">
            <Button onClick={() => onTake(Object.fromEntries(found.map((name) => [name, proposal[name]])))}>
              {text.takeAll}
            </Button>
          </Group>
          <p>{text.afterwards}</p>
        </>
      )}
    </>
  );
}

interface ProposedProps {
  readonly name: ProposedField;
  readonly before: string;
  readonly after: string;
  readonly onTake: () => void;
}

function Proposed({ name, before, after, onTake }: ProposedProps): ReactNode {
  const { fields, fromArticles: text } = useText(voiceTexts);
  const isTaken = before === after;
  return (
    <section aria-label={fields[name]}>
      <h3>{fields[name]}</h3>
      <LineDiff label={text.change(fields[name])} before={before} after={after} />
      {/* It keeps the focus when it was used. */}
      <Button
        mt="xs"
        size="compact-sm"
        variant="default"
        aria-disabled={isTaken}
        data-disabled={isTaken || undefined}
        aria-label={text.takeOf(fields[name])}
        onClick={isTaken ? undefined : onTake}
      >
        {text.take}
      </Button>
    </section>
  );
}
