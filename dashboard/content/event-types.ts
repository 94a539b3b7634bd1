import type { WebhookWrite } from '../../sdk/src/index.ts';
import { eventTypeTexts } from './event-type-texts.ts';
import type { EventType } from './event-type-texts.ts';

/** What an endpoint names: events, and patterns. */
export type EndpointEvent = WebhookWrite['events'][number];

export const eventTypes = Object.keys(eventTypeTexts.en.about) as readonly EventType[];

/** Also what is sent to one endpoint as a test. */
export const deliveredTypes = [...eventTypes, 'ping'] as const;

type Noun = keyof typeof eventTypeTexts.en.groups;

/** The events by what they tell of, the pattern of all of them first. */
export const eventGroups = [...Map.groupBy(eventTypes, (type) => type.split('.', 1)[0] as Noun)].map(
  ([noun, types]) => ({ noun, pattern: `${noun}.*` as const, types }),
);

/** All that can be chosen for an endpoint. */
export const endpointEvents: readonly EndpointEvent[] = [
  '*',
  ...eventGroups.flatMap(({ pattern, types }) => [pattern, ...types]),
];
