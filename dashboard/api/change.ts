import { useRef } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import type { Presswork } from '../../sdk/src/index.ts';
import { proving } from '../session/proof.ts';
import { useSite } from './site.ts';
import { toast } from '../session/toast.ts';
import { fieldMessages, useFailure } from './failure.ts';
import { itemQueryKey } from './item.ts';
import type { ItemKey } from './item.ts';

export interface ChangeOptions<Input, Output> {
  /**
   * Sends it. Pass `idempotencyKey` on for everything that creates: it stays the same when the person tries again with the
   * same input, so that everything that is sent has to be in the input.
   */
  readonly send: (
    presswork: Presswork,
    input: Input,
    options: { idempotencyKey: string },
  ) => PromiseLike<Output>;
  /** The resources whose lists and items are read again afterwards. */
  readonly touches: readonly string[];
  /** The item that the answer is a new version of. Whoever opens it again at once would see the old one otherwise. */
  readonly item?: ItemKey | undefined;
  /** The message afterwards. */
  readonly done?: (output: Output, input: Input) => string | null;
  readonly onDone?: (output: Output, input: Input) => void;
  /** Shows the change before it is answered. @returns a function that undoes it if it fails */
  readonly optimistic?: (input: Input, show: ShowChange) => void;
  /** `here` if the screen itself shows the error, as forms do; by default it is a notice. */
  readonly errors?: 'here' | 'notice';
}

/** Changes every row or object of a resource in the cache. */
export type ShowChange = <Row>(resource: string, change: (row: Row) => Row | null) => void;

/** A change of the API: `mutate(input)` sends it, `isPending` says that it is under way. */
export function useChange<Input = void, Output = unknown>({
  send,
  touches,
  item,
  done,
  onDone,
  optimistic,
  errors = 'notice',
}: ChangeOptions<Input, Output>): UseMutationResult<Output, Error, Input> {
  const { id, presswork } = useSite();
  const client = useQueryClient();
  const failure = useFailure();
  const key = useIdempotencyKey();
  return useMutation({
    // An answer with a secret is forgotten with the dialog that shows it.
    gcTime: 0,
    mutationFn: (input: Input) => proving(() => send(presswork, input, { idempotencyKey: key.of(input) })),
    onMutate: async (input) => {
      if (optimistic === undefined) return [];
      const before = touches.flatMap((resource) => client.getQueriesData({ queryKey: [id, resource] }));
      await Promise.all(touches.map((resource) => client.cancelQueries({ queryKey: [id, resource] })));
      optimistic(input, (resource, change) =>
        client.setQueriesData({ queryKey: [id, resource] }, (data: unknown) =>
          changed(data, change as never),
        ),
      );
      return before;
    },
    onError: (error, _input, before) => {
      for (const [queryKey, data] of before ?? []) client.setQueryData(queryKey, data);
      if (errors === 'notice')
        toast.error([failure(error), ...Object.values(fieldMessages(error))].join(' '));
    },
    onSuccess: (output, input) => {
      key.forget();
      if (item !== undefined) client.setQueryData(itemQueryKey(id, item), output);
      const message = done?.(output, input);
      if (message) toast.done(message);
      onDone?.(output, input);
    },
    onSettled: () =>
      Promise.all(touches.map((resource) => client.invalidateQueries({ queryKey: [id, resource] }))),
  });
}

/** The same key for the same input until it has succeeded: an answer that got lost is then not done twice. */
function useIdempotencyKey() {
  const last = useRef<{ input: string; key: string } | null>(null);
  return {
    of(input: unknown): string {
      const text = JSON.stringify(input) ?? '';
      if (last.current?.input !== text) last.current = { input: text, key: newKey() };
      return last.current.key;
    },
    forget(): void {
      last.current = null;
    },
  };
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

interface Pages {
  readonly pages: readonly { readonly items: readonly unknown[] }[];
}

/** What was read with the change: the rows of a list's pages, or one object. Null removes a row. */
function changed(data: unknown, change: (row: unknown) => unknown): unknown {
  if (data === undefined || data === null) return data;
  if (!isPages(data)) return withMeta(change(data) ?? data, data);
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      items: page.items.map(change).filter((row) => row !== null),
    })),
  };
}

/** A copy has no ETag of its own. */
const withMeta = (copy: object, of: object): object =>
  copy === of || !('meta' in of) ? copy : Object.defineProperty(copy, 'meta', { value: of.meta });

const isPages = (data: object): data is Pages => 'pages' in data && Array.isArray(data.pages);
