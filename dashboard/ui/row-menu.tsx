import type { ReactNode } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { Icon } from './icons.tsx';

/** The actions of a row behind one button, whose label names the row. */
export const RowMenu = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactNode => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
        <Icon name="more" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
