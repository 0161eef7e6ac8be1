'use client';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { MASK } from '#lib/secrets/placeholder-format.ts';
import {
  type AuthenticationKind,
  findCredential,
  type Header,
  kindOfCredential,
  toCredential,
  withCredential,
} from '#lib/tasks/http-request/authentication.ts';
import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';

interface Entered {
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

const NOTHING_ENTERED: Entered = {
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
const CredentialFields = ({
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

const KINDS: Readonly<Record<AuthenticationKind, string>> = {
  none: 'None',
  bearer: 'Bearer token',
  basic: 'User name and password',
  api_key: 'API key in a header',
};

const headersOf = (settings: Readonly<Record<string, unknown>>): Header[] =>
  settingRows(settings['headers']).map(({ name, value }) => ({
    name: settingWords(name),
    value: settingWords(value),
  }));

/** Authentication of the request: selected, and entered once; stored credentials are never shown. */
export function CredentialSection() {
  const { flush } = useEditorContext();
  const { task, canEdit } = usePanel();
  const change = useChangeSettings();
  const others = useOtherCredentials(task.id);
  const [choice, setChoice] = useState<string>();
  const [entered, setEntered] = useState<Entered>(NOTHING_ENTERED);
  const headers = headersOf(task.settings);
  const stored = findCredential(headers);
  const store = (credential: Header | undefined) => {
    change({ headers: withCredential(headers, credential) });
    setChoice(undefined);
    setEntered(NOTHING_ENTERED);
    // Saving replaces it by a mask.
    void flush();
  };
  const kind = (choice ?? (stored ? kindOfCredential(stored) : 'none')) as AuthenticationKind;
  const isEntering = choice !== undefined && choice !== 'none';
  const credential = isEntering ? toCredential({ kind, ...entered }) : undefined;
  const isComplete = isEntering && entered.isComplete(kind);
  return (
    <section aria-label="Authentication" className="flex flex-col gap-3">
      <Field
        label="Authentication"
        help={
          stored && !isEntering
            ? `Stored in the header ${stored.name}. ${stored.value.includes(MASK) ? 'Its value is shown to nobody.' : ''}`
            : undefined
        }
      >
        <Select
          aria-label="Authentication"
          disabled={!canEdit}
          value={kind}
          options={[
            ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
            ...others.map(({ taskId, taskName, header }) => ({
              value: `task ${taskId}`,
              label: `Same as “${taskName}”`,
              description: header.name,
            })),
          ]}
          onValueChange={(value) => {
            const other = others.find(({ taskId }) => value === `task ${taskId}`);
            if (other) return store(other.header);
            if (value === 'none') return store(undefined);
            setChoice(value);
          }}
        />
      </Field>
      {isEntering && (
        <form
          className="flex flex-col gap-3 rounded-lg border border-line p-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (isComplete) store(credential);
          }}
        >
          <CredentialFields kind={kind} entered={entered} onChange={setEntered} />
          <div className="flex gap-2">
            <Button size="sm" type="submit" variant="primary" disabled={!isComplete}>
              Use these credentials
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setChoice(undefined)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
      {stored && !isEntering && canEdit && (
        <Button
          size="sm"
          icon={<KeyRound aria-hidden />}
          className="self-start"
          onClick={() => setChoice(kindOfCredential(stored))}
        >
          Replace credentials
        </Button>
      )}
    </section>
  );
}

/** Stored credentials of other tasks of this type, without duplicates. */
function useOtherCredentials(ownId: number) {
  const tasks = useEditorState(({ history }) => history.present.tasks);
  const own = tasks.find(({ id }) => id === ownId);
  const seen = new Set<string>();
  return tasks.flatMap(({ id, type, name, settings }) => {
    const header = id === ownId || type !== own?.type ? undefined : findCredential(headersOf(settings));
    if (!header?.value.includes(MASK) || seen.has(header.value)) return [];
    seen.add(header.value);
    return [{ taskId: id, taskName: name, header }];
  });
}
