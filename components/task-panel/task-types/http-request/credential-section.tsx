'use client';
import { KeyRound } from 'lucide-react';
import { useState, useTransition } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { SecretNameField, useStoreSecret, useSuggestedName } from '#components/task-panel/move-to-secret.tsx';
import { useChangeSettings, usePanel } from '#components/task-panel/panel-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { MASK } from '#lib/secrets/placeholder-format.ts';
import { MIN_CHARACTERS } from '#lib/secrets/redact.ts';
import {
  type AuthenticationKind,
  findCredential,
  type Header,
  kindOfCredential,
  toCredential,
  withCredential,
} from '#lib/tasks/http-request/authentication.ts';
import { readLiteralOrigin } from '#lib/tasks/named-secrets.ts';
import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';

interface Entered {
  token: string;
  user: string;
  password: string;
  name: string;
  key: string;
  /** Name of the secret; undefined until the user changes the suggestion. */
  secret: string | undefined;
  isComplete: (kind: AuthenticationKind) => boolean;
}

type Text = Exclude<keyof Entered, 'isComplete' | 'secret'>;

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
  secret: undefined,
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

/** The text of a kind that is to be a secret, and what it is called: `stripe_token` for api.stripe.com. */
const SECRET_OF: Readonly<Partial<Record<AuthenticationKind, Text>>> = {
  bearer: 'token',
  basic: 'password',
  api_key: 'key',
};

/** Of the host of a URL, the word that says whose it is; an empty text for addresses. */
function wordOfHost(url: unknown): string {
  const host = typeof url === 'string' ? readLiteralOrigin(url)?.hostname : undefined;
  const words = host === undefined || /^[\d.[]/.test(host) ? [] : host.split('.');
  return words.at(-2) ?? '';
}

/** To a host that a variable chooses no secret of the workspace is sent: the credentials are encrypted with the task instead. */
const hasVariableHost = (url: unknown): boolean =>
  typeof url === 'string' && url.trim() !== '' && readLiteralOrigin(url) === undefined;

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

/** Authentication of the request: selected, and entered once. What is entered becomes a secret of the workspace. */
export function CredentialSection() {
  const { flush } = useEditorContext();
  const { task, canEdit } = usePanel();
  const change = useChangeSettings();
  const others = useOtherCredentials(task.id);
  const [choice, setChoice] = useState<string>();
  const headers = headersOf(task.settings);
  const stored = findCredential(headers);
  const use = (credential: Header | undefined) => {
    change({ headers: withCredential(headers, credential) });
    setChoice(undefined);
    void flush();
  };
  const kind = (choice ?? (stored ? kindOfCredential(stored) : 'none')) as AuthenticationKind;
  const isEntering = choice !== undefined && choice !== 'none';
  return (
    <section aria-label="Authentication" className="flex flex-col gap-3">
      <Field
        label="Authentication"
        help={
          stored && !isEntering
            ? `Stored in the header ${stored.name}. ${isHidden(stored) ? 'Its value is shown to nobody.' : ''}`
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
            if (other) return use(other.header);
            if (value === 'none') return use(undefined);
            setChoice(value);
          }}
        />
      </Field>
      {isEntering && (
        <CredentialForm key={kind} kind={kind} onUse={use} onCancel={() => setChoice(undefined)} />
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

/** Credentials of one kind; the secret one among them is stored as a secret of the workspace before they are used. */
function CredentialForm({
  kind,
  onUse,
  onCancel,
}: {
  kind: AuthenticationKind;
  onUse: (credential: Header | undefined) => void;
  onCancel: () => void;
}) {
  const { task } = usePanel();
  const store = useStoreSecret();
  const [entered, setEntered] = useState<Entered>(NOTHING_ENTERED);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const field = SECRET_OF[kind];
  const value = field === undefined ? '' : entered[field].trim();
  const isNew =
    value.length >= MIN_CHARACTERS && !value.includes('{{') && !hasVariableHost(task.settings['url']);
  const suggestion = useSuggestedName(`${wordOfHost(task.settings['url'])}_${field}`);
  const name = entered.secret ?? suggestion;
  const isComplete = entered.isComplete(kind);
  const submit = async () => {
    if (!isNew || field === undefined) return onUse(toCredential({ kind, ...entered }));
    const stored = await store(name.trim(), value);
    if ('problem' in stored) return setProblem(stored.problem);
    onUse(toCredential({ kind, ...entered, [field]: stored.variable }));
  };
  return (
    <form
      className="flex flex-col gap-3 rounded-lg border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) startTransition(submit);
      }}
    >
      <CredentialFields kind={kind} entered={entered} onChange={setEntered} />
      {isNew && (
        <SecretNameField
          name={name}
          problem={problem}
          onName={(secret) => setEntered({ ...entered, secret })}
        />
      )}
      <div className="flex gap-2">
        <Button size="sm" type="submit" variant="primary" loading={busy} disabled={!isComplete}>
          Use these credentials
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Whether the value is hidden from every user: a secret of the workspace, or one that was stored with the task. */
const isHidden = ({ value }: Header): boolean => value.includes(MASK) || /\{\{\s*secret\./.test(value);

/** Stored credentials of other tasks of this type, without duplicates. */
function useOtherCredentials(ownId: number) {
  const tasks = useEditorState(({ history }) => history.present.tasks);
  const own = tasks.find(({ id }) => id === ownId);
  const seen = new Set<string>();
  return tasks.flatMap(({ id, type, name, settings }) => {
    const header = id === ownId || type !== own?.type ? undefined : findCredential(headersOf(settings));
    if (!header || !isHidden(header) || seen.has(header.value)) return [];
    seen.add(header.value);
    return [{ taskId: id, taskName: name, header }];
  });
}
