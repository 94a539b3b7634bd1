import type { ComponentProps, ReactNode } from 'react';
import { TagsInput } from '../../ui/controls.ts';

/** The keywords of a topic; loaded when the first topic shows them. */
export const Keywords = (props: ComponentProps<typeof TagsInput>): ReactNode => <TagsInput {...props} />;
