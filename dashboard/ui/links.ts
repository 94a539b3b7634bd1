import { createElement } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { createLink } from '@tanstack/react-router';
import { Anchor, Button } from '@mantine/core';

/** Without its `component`, a Button with an address is a button. */
const AnchorButton = (props: ComponentProps<typeof Button<'a'>>): ReactNode =>
  createElement(Button<'a'>, { component: 'a', ...props });

/** Components of Mantine as links of the router, with its typed addresses. */
export const ButtonLink = createLink(AnchorButton);
export const TextLink = createLink(Anchor<'a'>);
