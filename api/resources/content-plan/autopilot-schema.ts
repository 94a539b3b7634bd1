import { z } from 'zod';
import { weekdays } from '../../../domain/autopilot/settings.ts';
import { id, isoTime } from '../../../packages/base/fields.ts';
import { autopilotExample, autopilotUpdateExample } from './autopilot-examples.ts';

const settings = {
  enabled: z.boolean(),
  weekdays: z
    .array(z.enum(weekdays))
    .min(1, { error: 'must name at least one day; to switch the autopilot off, send enabled: false' })
    .max(20),
  time: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 07:30')
    .describe(
      'In the timezone of the Site. A time that a day lacks, when clocks go forward, does not happen on it.',
    ),
  items: z.int().min(1).max(10).describe('How many items a firing starts at most.'),
};

export const AutopilotUpdate = z
  .strictObject(settings)
  .partial()
  .meta({ id: 'AutopilotUpdate', examples: [autopilotUpdateExample] });

export const AutopilotShape = z
  .strictObject({
    ...settings,
    last: z
      .strictObject({
        at: isoTime,
        run_id: id.nullable().describe('The run that was started.'),
        error: z
          .strictObject({ code: z.string(), message: z.string() })
          .meta({ id: 'AutopilotError' })
          .nullable()
          .describe('What `POST /pipeline/runs` would have answered; CONFLICT if no item was approved.'),
      })
      .meta({ id: 'AutopilotFiring' })
      .nullable()
      .describe('The last firing.'),
  })
  .meta({ id: 'Autopilot', examples: [autopilotExample] });
