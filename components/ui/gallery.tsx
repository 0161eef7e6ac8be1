'use client';
import { Bell, Copy, Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Avatar, Badge, Status, type Tone } from './badge.tsx';
import { Button } from './button.tsx';
import { Callout } from './callout.tsx';
import { Card } from './card.tsx';
import { Checkbox, Switch } from './form/checkbox.tsx';
import { CodeBlock, CopyButton } from './code-block.tsx';
import { CommandPalette } from './overlay/command-palette.tsx';
import { ConfirmDialog, Dialog, DialogClose } from './overlay/dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from './overlay/dropdown-menu.tsx';
import { EmptyState } from './page.tsx';
import { Field } from './form/field.tsx';
import { IconButton } from './icon-button.tsx';
import { Input, Textarea } from './form/input.tsx';
import { Kbd } from './kbd.tsx';
import { LoadMore } from './load-more.tsx';
import { Popover } from './overlay/popover.tsx';
import { RelativeTime } from './relative-time.tsx';
import { SegmentedControl } from './form/segmented-control.tsx';
import { Select } from './form/select.tsx';
import { Skeleton, Spinner } from './loading.tsx';
import { Table, Td, Th, Tr } from './table.tsx';
import { Tabs } from './tabs.tsx';
import { toast } from './overlay/toaster.tsx';

const TONES: readonly Tone[] = ['neutral', 'accent', 'success', 'warning', 'danger', 'info'];
const VARIANTS = ['primary', 'secondary', 'ghost', 'danger'] as const;
const SIZES = ['sm', 'md', 'lg'] as const;
const OPTIONS = [
  { value: 'one', label: 'One', description: 'With a line that says more' },
  { value: 'two', label: 'Two' },
  { value: 'three', label: 'Three', disabled: true },
] as const;

/** Every component in every state. */
export function Gallery({ now }: { now: string }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Buttons />
      <Inputs />
      <Messages />
      <Overlays />
      <Choices />
      <Lists now={now} />
    </div>
  );
}

const Buttons = () => (
  <Card title="Buttons">
    <div className="flex flex-col gap-3">
      {VARIANTS.map((variant) => (
        <div key={variant} className="flex flex-wrap items-center gap-2">
          {SIZES.map((size) => (
            <Button key={size} variant={variant} size={size} icon={<Plus aria-hidden />}>
              {variant}
            </Button>
          ))}
          <Button variant={variant} loading>
            Busy
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
        </div>
      ))}
      <div className="flex items-center gap-2">
        <IconButton label="Edit">
          <Pencil aria-hidden />
        </IconButton>
        <IconButton label="Notify" variant="secondary">
          <Bell aria-hidden />
        </IconButton>
        <CopyButton text="copied" />
        <CopyButton text="copied" label="Copy this" iconOnly />
        <Spinner />
        <Kbd>Ctrl K</Kbd>
        <Avatar text="owner@example.com" />
        <Avatar text="editor.two@example.com" />
      </div>
    </div>
  </Card>
);

const Inputs = () => (
  <Card title="Fields">
    <div className="flex flex-col gap-4">
      <Field
        label="Name"
        help="A word of help."
        required
        aside={<span className="text-sm text-muted">aside</span>}
      >
        <Input placeholder="Placeholder" />
      </Field>
      <Field label="With an error" error="Write an address that starts with https://.">
        <Input defaultValue="example" />
      </Field>
      <Field label="With an icon">
        <Input icon={<Search />} placeholder="Search" />
      </Field>
      <Field label="Select">
        <Select options={OPTIONS} />
      </Field>
      <Field label="Text">
        <Textarea code defaultValue={'{"status":"received"}'} />
      </Field>
      <Field label="Disabled">
        <Input disabled defaultValue="cannot be changed" />
      </Field>
    </div>
  </Card>
);

const Messages = () => (
  <Card title="Messages">
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <div className="flex flex-wrap gap-4">
        {TONES.map((tone) => (
          <Status key={tone} tone={tone} live={tone === 'info'}>
            {tone}
          </Status>
        ))}
      </div>
      {TONES.map((tone) => (
        <Callout key={tone} tone={tone} title={`A ${tone} callout`}>
          It says what is wrong and how to fix it.
        </Callout>
      ))}
    </div>
  </Card>
);

function Overlays() {
  const [open, setOpen] = useState(false);
  const command = { id: 'nothing', label: 'Do nothing', icon: <Copy />, hint: 'N', run: () => undefined };
  return (
    <Card title="Overlays">
      <div className="flex flex-wrap gap-2">
        {(['center', 'side'] as const).map((placement) => (
          <Dialog
            key={placement}
            placement={placement}
            title={`A dialog (${placement})`}
            description="With a description."
            size="sm"
            trigger={<Button>Dialog ({placement})</Button>}
            footer={
              <DialogClose>
                <Button variant="primary">Done</Button>
              </DialogClose>
            }
          >
            Some text.
          </Dialog>
        ))}
        <ConfirmDialog
          title="Delete this?"
          description="It cannot be undone."
          confirmLabel="Delete"
          danger
          onConfirm={() => undefined}
          trigger={<Button variant="danger">Confirm</Button>}
        />
        <DropdownMenu trigger={<Button>Menu</Button>}>
          <DropdownMenuLabel>A label</DropdownMenuLabel>
          <DropdownMenuItem icon={<Pencil />} hint="F2">
            Rename
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem icon={<Trash2 />} danger>
            Delete
          </DropdownMenuItem>
        </DropdownMenu>
        <Popover label="More" trigger={<Button>Popover</Button>}>
          Something small.
        </Popover>
        <Button onClick={() => setOpen(true)}>Commands</Button>
        <CommandPalette
          open={open}
          onOpenChange={setOpen}
          label="Commands"
          groups={[{ heading: 'Example', commands: [command] }]}
        />
        <Button onClick={() => toast.success('Saved', { description: 'Everything is in its place.' })}>
          Toast
        </Button>
      </div>
    </Card>
  );
}

function Choices() {
  const [segment, setSegment] = useState<'day' | 'week'>('day');
  return (
    <Card title="Choices">
      <div className="flex flex-col gap-4">
        <Checkbox label="A checkbox" help="With help." defaultChecked />
        <Checkbox label="Some of many" checked="indeterminate" />
        <Switch label="A switch" defaultChecked />
        <Switch label="Another switch" />
        <SegmentedControl
          label="Range"
          options={[
            { value: 'day', label: 'Day' },
            { value: 'week', label: 'Week' },
          ]}
          value={segment}
          onValueChange={setSegment}
        />
        <Tabs
          label="Example"
          tabs={[
            {
              value: 'input',
              label: 'Input',
              content: <CodeBlock label="input" code={'{\n  "name": "Sample"\n}'} />,
            },
            { value: 'output', label: 'Output', content: 'Output' },
          ]}
        />
      </div>
    </Card>
  );
}

const Lists = ({ now }: { now: string }) => (
  <div className="flex flex-col gap-4">
    <Table label="Example rows">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>When</Th>
        </tr>
      </thead>
      <tbody>
        {['First', 'Second'].map((name) => (
          <Tr key={name}>
            <Td className="w-full">{name}</Td>
            <Td>
              <RelativeTime at={now} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
    <LoadMore hasMore loading={false} onLoadMore={() => undefined} shown="2 rows" />
    <Skeleton className="h-9 w-full" />
    <EmptyState
      icon={<Bell />}
      title="Nothing here"
      actions={<Button variant="primary">Do something</Button>}
    >
      What will be here and how to get it.
    </EmptyState>
  </div>
);
