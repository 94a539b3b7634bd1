import { createLink } from '@tanstack/react-router';
import { Anchor, Button } from '@mantine/core';

/** Components of Mantine as links of the router, with its typed addresses. */
export const ButtonLink = createLink(Button<'a'>);
export const TextLink = createLink(Anchor<'a'>);
