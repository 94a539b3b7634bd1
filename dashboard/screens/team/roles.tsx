import type { ReactNode } from 'react';
import type { Role } from '../../session/account.ts';
import { roles, roleTexts } from '../../session/role-texts.ts';
import { useText } from '../../text/texts.ts';
import { Radio, Stack } from '../../ui/controls.ts';
import { screenTexts } from './text.ts';
import styles from './roles.module.css';

/** The role of an owner is given by the operator alone. */
export type GivenRole = Exclude<Role, 'owner'>;
const given = roles.filter((role): role is GivenRole => role !== 'owner');

export interface RoleChoiceProps {
  readonly value: GivenRole;
  readonly onChange: (role: GivenRole) => void;
  readonly error?: string | undefined;
}

/** The roles that a person can give, each with its meaning. */
export function RoleChoice({ value, onChange, error }: RoleChoiceProps): ReactNode {
  const text = useText(screenTexts);
  const names = useText(roleTexts);
  return (
    <Radio.Group
      name="role"
      label={text.role}
      value={value}
      error={error}
      onChange={(role) => onChange(role)}
    >
      <Stack gap="sm" mt="xs">
        {given.map((role) => (
          <Radio key={role} value={role} label={names[role]} description={text.roles[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

export function RolesExplained(): ReactNode {
  const text = useText(screenTexts);
  const names = useText(roleTexts);
  return (
    <section className={styles.roles} aria-labelledby="roles">
      <h2 id="roles">{text.roles.title}</h2>
      <dl>
        {roles.map((role) => (
          <div key={role}>
            <dt>{names[role]}</dt>
            <dd>{text.roles[role]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
