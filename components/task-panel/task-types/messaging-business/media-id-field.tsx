'use client';
import { MediaUpload } from './media-upload.tsx';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';
import { TextField } from '#components/task-panel/text-field.tsx';
import { useChangeSettings } from '#components/task-panel/use-change-settings.ts';

/** The id of an uploaded file, or an upload: the file's type sets the kind. */
export function MediaIdField(props: SettingFieldProps) {
  const { task } = usePanel();
  const change = useChangeSettings();
  return (
    <div>
      <TextField {...props} />
      <MediaUpload
        kind={undefined}
        mediaId={props.value}
        onUploaded={({ mediaId, kind, name }) =>
          change({
            media_id: mediaId,
            media_url: undefined,
            media_type: kind,
            filename: kind === 'document' ? (task.settings['filename'] ?? name) : undefined,
            ...(kind === 'audio' ? { caption: undefined } : {}),
          })
        }
      />
    </div>
  );
}
