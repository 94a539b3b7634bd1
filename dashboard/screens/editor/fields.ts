import { useSaving, useSession } from './article/use-article.ts';
import type { FieldName, Fields } from './saving/fields.ts';

/** A field of the article: its value, how to change it, and the API's message for it. */
export function useField<Name extends FieldName>(name: Name) {
  const { saver } = useSession();
  const value = useSaving(({ mine }) => mine[name]);
  const refusal = useSaving(({ refused }) => refused[name]);
  return {
    value,
    set: (next: Fields[Name]): void => saver.edit({ [name]: next }),
    /** @param path within the field, such as `0.question` */
    errorAt: (path?: string): string | undefined =>
      refusal?.messages[path === undefined ? name : `${name}.${path}`],
  };
}

/** A field without text is null. */
export const textOrNull = (text: string): string | null => (text === '' ? null : text);
