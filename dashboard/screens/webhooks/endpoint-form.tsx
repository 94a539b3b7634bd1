import { useState } from 'react';
import type { ReactNode } from 'react';
import { eventTypeTexts } from '../../content/event-type-texts.ts';
import { endpointEvents, eventGroups } from '../../content/event-types.ts';
import type { EndpointEvent } from '../../content/event-types.ts';
import { useText } from '../../text/texts.ts';
import { Checkbox, Fieldset, TextInput } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import styles from './endpoint-form.module.css';
import { screenTexts } from './text.ts';

export interface EndpointValues {
  readonly url: string;
  readonly events: readonly EndpointEvent[];
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
  readonly events: readonly EndpointEvent[];
  readonly onChange: (events: readonly EndpointEvent[]) => void;
  readonly error: string | undefined;
}

/** Whether a pattern among the events stands for this one, too. */
const covers = (events: readonly EndpointEvent[], name: EndpointEvent): boolean =>
  events.some((each) => each !== name && each.endsWith('*') && name.startsWith(each.slice(0, -1)));

function EventChoice({ events, onChange, error }: EventChoiceProps): ReactNode {
  const { form: text } = useText(screenTexts);
  const { groups, about, all, everything } = useText(eventTypeTexts);
  const toggle = (name: EndpointEvent): void => {
    const chosen = endpointEvents.filter((each) => events.includes(each) !== (each === name));
    onChange(chosen.filter((each) => !covers(chosen, each)));
  };
  const box = (name: EndpointEvent, description: string): ReactNode => (
    <Checkbox
      key={name}
      name="events"
      value={name}
      label={<code>{name}</code>}
      description={description}
      disabled={covers(events, name)}
      aria-invalid={error !== undefined || undefined}
      onChange={() => toggle(name)}
    />
  );
  return (
    <Checkbox.Group
      label={text.events}
      description={text.eventsAbout}
      error={error}
      value={endpointEvents.filter((name) => events.includes(name) || covers(events, name))}
      required
    >
      <div className={styles.all}>{box('*', everything)}</div>
      {eventGroups.map(({ noun, pattern, types }) => (
        <Fieldset key={noun} legend={groups[noun]} className={styles.group}>
          {box(pattern, all)}
          {types.map((type) => box(type, about[type]))}
        </Fieldset>
      ))}
    </Checkbox.Group>
  );
}
