import { createLink } from '@tanstack/react-router';
import { Anchor, Button, Menu } from '@mantine/core';

/** Components of Mantine as links of the router, with its typed addresses. */
export const MenuLink = createLink(Menu.Item<'a'>);
export const ButtonLink = createLink(Button<'a'>);
export const TextLink = createLink(Anchor<'a'>);
