import { Suspense, lazy } from 'react';
import type { ComponentType, ReactNode } from 'react';

/** A part of a screen, such as a dialog, that is loaded when it is first shown; the screen around it stays. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  );
}
