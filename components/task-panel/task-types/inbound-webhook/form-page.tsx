'use client';
import { useMemo } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { findTrigger } from '#lib/editor/canvas/document.ts';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';
import { formPage } from '#lib/editor/canvas/form-page.ts';

/** A form with the workflow's input fields, for the user's own website. */
export function FormPage() {
  const editor = useEditor();
  const document = useEditorState((state) => state.history.present);
  const html = useMemo(() => {
    const body = exampleBody(document);
    const { response_type: type, redirect_url: redirectUrl } = findTrigger(document)?.settings ?? {};
    const isRedirect = type === 'redirect' && typeof redirectUrl === 'string';
    return (
      body && formPage({ url: editor.urls.production, body, redirectUrl: isRedirect ? redirectUrl : '' })
    );
  }, [document, editor.urls.production]);
  if (!html) return null;
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">Send a form from a website</summary>
      <div className="mt-2 flex flex-col gap-2">
        <p className="text-sm text-muted">
          A plain HTML form does not send JSON. Paste this into your page: its script sends the fields as JSON
          and then opens the redirect URL, if the trigger has one. Anyone who visits the page can see the
          production URL.
        </p>
        <CodeBlock label="form" code={html} wrap maxHeightClass="max-h-60" />
      </div>
    </details>
  );
}
