import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '../api/queries.ts';
import { UiProvider } from '../ui/provider.tsx';
import { router } from './router.ts';

export const App = (): ReactNode => (
  <QueryClientProvider client={queryClient}>
    <UiProvider>
      <RouterProvider router={router} />
    </UiProvider>
  </QueryClientProvider>
);
