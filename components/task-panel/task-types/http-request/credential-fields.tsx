'use client';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import type { AuthenticationKind } from '#lib/tasks/http-request/authentication.ts';

export interface Entered {
  token: string;
  user: string;
  password: string;
  name: string;
  key: string;
  isComplete: (kind: AuthenticationKind) => boolean;
}

type Text = Exclude<keyof Entered, 'isComplete'>;

const NEEDED: Readonly<Record<AuthenticationKind, readonly Text[]>> = {
  none: [],
  bearer: ['token'],
  basic: ['user'],
  api_key: ['name', 'key'],
};

export const NOTHING_ENTERED: Entered = {
  token: '',
  user: '',
  password: '',
  name: 'X-API-Key',
  key: '',
  isComplete(kind) {
    return NEEDED[kind].every((field) => this[field].trim() !== '');
  },
};

const FIELDS: Readonly<
  Record<AuthenticationKind, readonly { name: Text; label: string; isHidden: boolean }[]>
> = {
  none: [],
  bearer: [{ name: 'token', label: 'Token', isHidden: true }],
  basic: [
    { name: 'user', label: 'User name', isHidden: false },
    { name: 'password', label: 'Password', isHidden: true },
  ],
  api_key: [
    { name: 'name', label: 'Header name', isHidden: false },
    { name: 'key', label: 'API key', isHidden: true },
  ],
};

/** The fields of one kind of credentials; secrets are masked while typing. */
export const CredentialFields = ({
  kind,
  entered,
  onChange,
}: {
  kind: AuthenticationKind;
  entered: Entered;
  onChange: (entered: Entered) => void;
}) =>
  FIELDS[kind].map(({ name, label, isHidden }) => (
    <Field
      key={name}
      label={label}
      help={isHidden ? 'A value, or a secret of the workspace: {{secret.name}}.' : undefined}
    >
      <Input
        type={isHidden ? 'password' : 'text'}
        // Browsers do not fill in new passwords.
        autoComplete={isHidden ? 'new-password' : 'off'}
        value={entered[name]}
        onChange={({ target }) => onChange({ ...entered, [name]: target.value })}
      />
    </Field>
  ));
