import { z } from 'zod';
import { storableText } from '../../domain/kernel/storable.ts';

/** The most elements of a list that are all read. */
const LONGEST = 1_000;

/**
 * The first element of a list in a stranger's answer, or nothing of an empty one. The others are not looked at: an answer
 * can have millions, and zod names each mistake in each of them.
 */
export const firstOf = <Element extends z.ZodType>(element: Element) =>
  z
    .custom<readonly unknown[]>((value) => Array.isArray(value))
    .transform((list) => list.slice(0, 1))
    .pipe(z.array(element));

/** A list in a stranger's answer, which is refused before its elements are looked at if it is a long one. */
export const listOf = <Element extends z.ZodType>(element: Element) =>
  z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= LONGEST).pipe(z.array(element));

/** A text in a stranger's answer that becomes a part of a post's state. */
export const keptText = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => text === storableText(text));
