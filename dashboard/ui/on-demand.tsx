import { Suspense, lazy } from 'react';
import type { ComponentType, ReactNode } from 'react';

/**
 * A part of a screen, such as a dialog, that is loaded when it is first shown; the screen around it stays.
 * A part that stands above others has a placeholder of its size, so that these do not move away from a click.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Placeholder: () => ReactNode = () => null,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={<Placeholder />}>
      <Part {...props} />
    </Suspense>
  );
}
