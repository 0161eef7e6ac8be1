'use client';
import { Plus, X } from 'lucide-react';
import { type FormEvent, useId, useState, useTransition } from 'react';
import { ROLE_OPTIONS } from '#components/settings/role-options.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { problemAt } from '#components/ui/form/form-values.ts';
import { Field } from '#components/ui/form/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import type { KnownGroups } from '#lib/identity/groups/group-access.ts';
import {
  type PreviewedMember,
  previewGroups,
  type PreviewInput,
} from '#lib/identity/groups/preview-groups.ts';
import type { GroupAccess } from '#lib/identity/groups/role-of-groups.ts';
import { type Role, ROLE_LABELS } from '#lib/identity/roles/roles.ts';

export interface GroupAccessCardProps {
  workspaceName: string;
  /** Null: invitations decide. */
  access: GroupAccess | null;
  groupsClaim: string;
  providerName: string;
  ownUserId: string;
  known: readonly KnownGroups[];
  ownerCount: number;
  breakGlassUserIds: readonly string[];
  save: (input: { access: GroupAccess | null }) => Promise<ActionResult<void>>;
}

interface Row {
  key: number;
  /** Just added: it gets the focus. */
  isNew?: boolean;
  group: string;
  role: Role;
}

const NO_ACCESS = 'none';
const DEFAULT_OPTIONS = [
  { value: NO_ACCESS, label: 'No access', description: 'They see whom to ask for access.' },
  ...ROLE_OPTIONS,
] as const;

/** Roles of the identity provider's groups in the workspace. */
export function GroupAccessCard(props: GroupAccessCardProps) {
  const { workspaceName, access, groupsClaim, providerName, known, save } = props;
  const [isOn, setIsOn] = useState(access !== null);
  const [rows, setRows] = useState<readonly Row[]>(() =>
    (access?.groupRoles ?? [{ group: '', role: 'viewer' as const }]).map((row, key) => ({ key, ...row })),
  );
  const [defaultRole, setDefaultRole] = useState<Role | null>(access?.defaultRole ?? null);
  const [error, setError] = useState<ActionError | null>(null);
  const [busy, startTransition] = useTransition();
  const suggestions = useId();
  const change = (key: number, next: Partial<Row>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...next } : row)));
  const add = () =>
    setRows((before) => [
      ...before,
      { key: Math.max(-1, ...before.map(({ key }) => key)) + 1, group: '', role: 'viewer', isNew: true },
    ]);
  const groupRoles = rows.map(({ group, role }) => ({ group: group.trim(), role }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const saved = await save({ access: isOn ? { groupRoles, defaultRole } : null });
      setError(saved.ok ? null : saved.error);
      if (saved.ok)
        toast.success('Groups and roles saved', {
          description: 'They apply from each person’s next sign-in.',
        });
    });
  };
  const groups = [...new Set(known.flatMap((member) => member.groups ?? []))].sort();
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title="Groups and roles"
        description={`For the workspace “${workspaceName}”.`}
        footer={
          <Button type="submit" variant="primary" loading={busy}>
            Save
          </Button>
        }
      >
        <div className="flex flex-col gap-5">
          {error && (error.problems.length === 0 || problemAt(error, 'access.groupRoles')) && (
            <Callout tone="danger" live>
              {problemAt(error, 'access.groupRoles') ?? error.message}
            </Callout>
          )}
          <Checkbox
            label={`Groups of ${providerName} decide who has access`}
            help={`At each sign-in, the claim “${groupsClaim}” decides whether people join, change roles or lose access. Invitations and roles that you set by hand last until then.`}
            checked={isOn}
            onCheckedChange={setIsOn}
          />
          {isOn && (
            <>
              <datalist id={suggestions}>
                {groups.map((group) => (
                  <option key={group} value={group} />
                ))}
              </datalist>
              <ul className="flex flex-col gap-3">
                {rows.map(({ key, group, role, isNew }, index) => (
                  <li key={key} className="flex flex-wrap items-start gap-2">
                    <Field
                      label={`Group ${index + 1}`}
                      hideLabel
                      error={problemAt(error, `access.groupRoles[${index}].group`)}
                      className="min-w-48 flex-1"
                    >
                      <Input
                        value={group}
                        autoFocus={isNew}
                        list={suggestions}
                        placeholder="Group, as the provider writes it"
                        autoComplete="off"
                        spellCheck={false}
                        onChange={(event) => change(key, { group: event.target.value })}
                      />
                    </Field>
                    <Select
                      aria-label={`Role of group ${index + 1}`}
                      className="w-32"
                      options={ROLE_OPTIONS}
                      value={role}
                      onValueChange={(next) => change(key, { role: next })}
                    />
                    <IconButton
                      label={`Remove group ${index + 1}`}
                      onClick={() => setRows((before) => before.filter((row) => row.key !== key))}
                    >
                      <X aria-hidden />
                    </IconButton>
                  </li>
                ))}
              </ul>
              <div>
                <Button size="sm" icon={<Plus aria-hidden />} onClick={add}>
                  Add group
                </Button>
              </div>
              <Field
                label="Everybody else"
                help="People in none of these groups. Who is in several gets the role with the most rights."
              >
                <Select
                  className="max-w-48"
                  options={DEFAULT_OPTIONS}
                  value={defaultRole ?? NO_ACCESS}
                  onValueChange={(next) => setDefaultRole(next === NO_ACCESS ? null : next)}
                />
              </Field>
              <GroupPreview {...props} access={{ groupRoles, defaultRole }} />
            </>
          )}
        </div>
      </Card>
    </form>
  );
}

export interface GroupPreviewProps extends PreviewInput {
  ownUserId: string;
  providerName: string;
}

/** Previews the roles of all members with known groups: the user first, then those that change. */
function GroupPreview({ ownUserId, providerName, ...input }: GroupPreviewProps) {
  const members = previewGroups(input);
  const own = members.find(({ member }) => member.userId === ownUserId);
  const others = members.filter(({ member }) => member.userId !== ownUserId);
  const changed = others.filter(({ member, role }) => role !== member.role);
  return (
    <section aria-label="Preview" className="rounded-md border border-line px-4 py-3">
      <h3 className="text-sm font-medium">Preview</h3>
      {own ? (
        <p className="mt-1">
          {own.member.groups === null
            ? `At your last sign-in, ${providerName} sent no groups: `
            : `With your groups (${own.member.groups.join(', ') || 'none'}) `}
          {own.role === null ? (
            <strong className="font-medium text-danger">you would lose access.</strong>
          ) : (
            <>
              you would be <strong className="font-medium">{ROLE_LABELS[own.role]}</strong>
              {whyOf(own)}.
            </>
          )}
        </p>
      ) : (
        <p className="mt-1 text-muted">
          You have not signed in with {providerName} yet. Sign in with it once to see the role that your
          groups get.
        </p>
      )}
      {changed.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1.5">
          {changed.map(({ member, ...next }) => (
            <li key={member.userId} className="flex flex-wrap items-center gap-x-2">
              <span className="break-all">{member.email}</span>
              <Badge tone={next.role === null ? 'danger' : 'warning'}>
                {ROLE_LABELS[member.role]} → {next.role === null ? 'no access' : ROLE_LABELS[next.role]}
              </Badge>
              {member.signedInAt && (
                <span className="text-sm text-muted">
                  groups of <RelativeTime at={member.signedInAt} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-muted">{describeOthers(others.length, changed.length)}</p>
    </section>
  );
}

function describeOthers(known: number, changed: number): string {
  if (known === 0) return 'Nobody else has signed in with the provider yet.';
  if (changed === 0)
    return known === 1
      ? 'The other member’s role would stay the same.'
      : `The roles of the ${known} other members with known groups would stay the same.`;
  return known === changed ? '' : `${known - changed} more would keep their role.`;
}

function whyOf({ staysBecause, group }: PreviewedMember): string {
  if (staysBecause === 'break_glass') return ', as you are a break-glass owner';
  if (staysBecause === 'last_owner') return ', as you are the only owner';
  return group === null ? ', like everybody else' : `, by the group ${group}`;
}
