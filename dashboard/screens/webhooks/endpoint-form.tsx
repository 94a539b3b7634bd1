import { useState } from 'react';
import type { ReactNode } from 'react';
import { eventTypeTexts } from '../../content/event-type-texts.ts';
import { eventGroups, eventTypes } from '../../content/event-types.ts';
import type { EventType } from '../../content/event-types.ts';
import { useText } from '../../text/texts.ts';
import { Button, Checkbox, Fieldset, TextInput } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import styles from './endpoint-form.module.css';
import { screenTexts } from './text.ts';

export interface EndpointValues {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string | null;
}

export interface EndpointFormProps {
  readonly initial: EndpointValues;
  readonly action: string;
  readonly error: unknown;
  readonly isPending: boolean;
  /** Said above the fields, such as somebody else's change. */
  readonly note?: ReactNode;
  readonly onSubmit: (values: EndpointValues) => void;
  readonly onCancel: () => void;
}

/** The members of an endpoint: its address, and its events. */
export function EndpointForm(props: EndpointFormProps): ReactNode {
  const { initial, action, error, isPending, note, onSubmit, onCancel } = props;
  const { form: text } = useText(screenTexts);
  const [url, setUrl] = useState(initial.url);
  const [description, setDescription] = useState(initial.description ?? '');
  const [events, setEvents] = useState(initial.events);
  const isDirty =
    url !== initial.url ||
    description !== (initial.description ?? '') ||
    events.join() !== initial.events.join();
  return (
    <Form
      onSubmit={() =>
        onSubmit({ url: url.trim(), events, description: description.trim() === '' ? null : description })
      }
      error={error}
      isDirty={isDirty && !isPending}
      actions={
        <FormButtons isPending={isPending} onCancel={onCancel}>
          {action}
        </FormButtons>
      }
    >
      {note}
      <TextInput
        label={text.url}
        description={text.urlAbout}
        type="url"
        dir="ltr"
        required
        data-autofocus
        placeholder="https://example.com/webhooks"
        maxLength={2_000}
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        {...fieldError(error, 'url')}
      />
      <TextInput
        label={text.description}
        description={text.descriptionAbout}
        dir="auto"
        maxLength={500}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        {...fieldError(error, 'description')}
      />
      <EventChoice events={events} onChange={setEvents} error={fieldError(error, 'events').error} />
    </Form>
  );
}

interface EventChoiceProps {
  readonly events: readonly EventType[];
  readonly onChange: (events: readonly EventType[]) => void;
  readonly error: string | undefined;
}

function EventChoice({ events, onChange, error }: EventChoiceProps): ReactNode {
  const { form: text } = useText(screenTexts);
  const { groups, about } = useText(eventTypeTexts);
  const toggle = (type: EventType): void =>
    onChange(eventTypes.filter((each) => events.includes(each) !== (each === type)));
  return (
    <Checkbox.Group
      label={text.events}
      description={text.eventsAbout}
      error={error}
      value={[...events]}
      required
    >
      <div className={styles.all}>
        <Button variant="subtle" size="compact-sm" ms={-8} onClick={() => onChange(eventTypes)}>
          {text.chooseAll}
        </Button>
      </div>
      {eventGroups.map(({ group, types }) => (
        <Fieldset key={group} legend={groups[group]} className={styles.group}>
          {types.map((type) => (
            <Checkbox
              key={type}
              name="events"
              value={type}
              label={<code>{type}</code>}
              description={about[type]}
              aria-invalid={error !== undefined || undefined}
              onChange={() => toggle(type)}
            />
          ))}
        </Fieldset>
      ))}
    </Checkbox.Group>
  );
}
