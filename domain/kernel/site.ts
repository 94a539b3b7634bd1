import type { AiDisclosure } from './origins.ts';

/** The Site of a request: resolved from its key, never from a parameter. */
export interface Site {
  readonly id: string;
  readonly organisationId: string;
  readonly name: string;
  readonly domain: string;
  readonly locale: string;
  readonly timezone: string;
  readonly cursorKey: Buffer;
  readonly createdAt: Date;
  /** Whether the Site's events have reached their ceiling (domain/events/ceiling.ts). */
  readonly eventsFull: boolean;
  /** The events and patterns that enabled endpoints of the Site subscribe to. */
  readonly subscribedEvents: readonly string[];
  /** How many people have to approve before something is published or scheduled (docs/spec/rulings.md, 23). */
  readonly requiredReviews: number;
  /** Whether readers are told of articles that a machine took part in (docs/spec/rulings.md, 25). */
  readonly aiDisclosure: AiDisclosure;
}

/** What a change knows of a Site's subscriptions; nothing where they were not read. */
export type Subscriptions = Partial<Pick<Site, 'subscribedEvents'>>;
