import type { CmsAdapters } from '../../../adapters/cms/create-adapters.ts';
import type { Ports } from '../../../activities/ports.ts';
import type { CmsAdapter } from '../../../domain/cms/adapter.ts';

/** Ports with adapters whose remote begins to refuse once it is stored what is about to be written. */
export function refusedWrites(
  { adapters }: Pick<Ports, 'adapters'>,
  refuse: () => void,
): Pick<Ports, 'adapters'> {
  const refused = ({ push, ...rest }: CmsAdapter): CmsAdapter => ({
    ...rest,
    push: (remote, changes, tools) =>
      push(remote, changes, {
        ...tools,
        async intend(...intended) {
          await tools.intend(...intended);
          refuse();
        },
      }),
  });
  const all = Object.entries(adapters).map(([kind, adapter]) => [kind, refused(adapter)]);
  return { adapters: Object.fromEntries(all) as CmsAdapters };
}
