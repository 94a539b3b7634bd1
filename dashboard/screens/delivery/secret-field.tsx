import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { TextInput, Textarea } from '../../ui/controls.ts';
import { fieldError } from '../../ui/form.tsx';
import { formTexts } from './form-text.ts';
import { isPrivateKey } from './kinds.ts';
import type { Config, Kind } from './kinds.ts';

export interface SecretFieldProps {
  readonly kind: Kind;
  readonly config: Config;
  /** Whether one is stored, which stays if the field is left empty. */
  readonly isKept: boolean;
  readonly value: string;
  readonly onChange: (secret: string) => void;
  readonly error: unknown;
}

/** The secret of a connection. It is sent, and never read back. */
export function SecretField({ kind, config, isKept, value, onChange, error }: SecretFieldProps): ReactNode {
  const { secrets: text, kept } = useText(formTexts);
  const isKey = isPrivateKey(kind, config);
  const sort = kind === 'git' ? (isKey ? 'key' : 'password') : kind;
  const shared = {
    label: text[sort],
    description: isKept ? kept : text[`${sort}About`],
    dir: 'ltr',
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: 20_000,
    value,
    ...fieldError(error, 'secret'),
  } as const;
  return isKey ? (
    <Textarea {...shared} rows={5} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  ) : (
    <TextInput
      {...shared}
      type="password"
      autoComplete="new-password"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
