import type { ReactNode } from 'react';
import { TermsPage } from './terms-page.tsx';

export const Categories = (): ReactNode => <TermsPage key="categories" kind="categories" />;
export const Tags = (): ReactNode => <TermsPage key="tags" kind="tags" />;
export const Authors = (): ReactNode => <TermsPage key="authors" kind="authors" />;
