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
}
