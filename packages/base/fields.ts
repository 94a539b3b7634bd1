import { z } from 'zod';
import { parseDateTime } from './date-time.ts';
import { slugPattern, SLUG_LENGTH } from './slugs.ts';
import { isWebUrl, WEB_URL_FORM } from './url-form.ts';

/** A text with at most `maximum` characters, counted as Unicode code points (docs/spec/rulings.md, 4). */
export const text = (maximum: number, minimum = 0) =>
  z
    .string()
    .superRefine((value, context) => {
      const length = lengthOf(value, maximum);
      if (length > maximum)
        context.addIssue({ code: 'custom', message: `must have at most ${maximum} characters` });
      if (value.length < minimum) context.addIssue({ code: 'custom', message: 'must not be empty' });
    })
    .meta(minimum > 0 ? { minLength: minimum, maxLength: maximum } : { maxLength: maximum });

/** Exact near the limit only: a text has at most as many code points as UTF-16 units, and at least half as many. */
const lengthOf = (value: string, maximum: number): number =>
  value.length <= maximum || value.length > maximum * 2 ? value.length : countCodePoints(value);

/** Counts one by one, since an array of code points would take ten times the memory of the text. */
function countCodePoints(value: string): number {
  let count = 0;
  for (let at = 0; at < value.length; at += 1) {
    if ((value.codePointAt(at) as number) > 0xffff) at += 1;
    count += 1;
  }
  return count;
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a uuid with hyphens, in lower or upper case (docs/spec/rulings.md, 1). */
export const isUuid = (value: string): boolean => uuidForm.test(value);

export const uuid = z
  .string()
  .regex(uuidForm, 'must be a uuid such as 0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11')
  .transform((value) => value.toLowerCase())
  .meta({ format: 'uuid' });

export const dateTime = z
  .string()
  .transform((value, context) => {
    const time = parseDateTime(value);
    if (time !== null) return time;
    context.addIssue({
      code: 'custom',
      message: 'must be a date-time with an offset, such as 2026-03-01T09:00:00Z',
    });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

/** A day of the calendar; the database knows none before the year 1. */
export const date = z
  .string()
  .refine((value) => z.iso.date().safeParse(value).success && !value.startsWith('0000'), {
    error: 'must be a date such as 2026-03-12',
  })
  .meta({ format: 'date' });

export const slug = text(SLUG_LENGTH)
  .refine((value) => value.length > SLUG_LENGTH || slugPattern.test(value), {
    error: 'must be lower-case letters and digits, in words joined by single hyphens, such as my-first-post',
  })
  .meta({ maxLength: SLUG_LENGTH, pattern: slugPattern.source });

/** An absolute http(s) URL; stored as it was sent. */
export const webUrl = text(2_000)
  .refine(isWebUrl, { error: `must be an absolute http or https URL, ${WEB_URL_FORM}` })
  .meta({ format: 'uri', maxLength: 2_000 });

/** An address without quotes (RFC 5321, Dot-string and Domain), with a domain of at least two labels. */
const address =
  /^(?=[^@]{1,64}@)[A-Za-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z\d!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z](?:[A-Za-z\d-]{0,61}[A-Za-z\d])$/;

/** An e-mail address; stored as it was sent. */
export const email = z
  .email({ pattern: address, error: 'must be an e-mail address such as ada@example.com' })
  .max(254)
  .meta({ format: 'email', maxLength: 254 });

// Schemas of answers.

export const id = z.uuid();
export const isoTime = z.iso.datetime({ precision: 3 });
export const nullableTime = isoTime.nullable();
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() });
