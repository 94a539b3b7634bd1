import type { ReactNode } from 'react';
import { useText } from '../../text/texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Button, Group, Stack } from '../../ui/controls.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { screenTexts } from './text.ts';

const snippet = `import { verifyWebhook } from '@presswork/sdk';

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(
      await request.text(),
      request.headers,
      process.env.PRESSWORK_WEBHOOK_SECRET,
    );
    console.log(event.event, event.id);
    return new Response(null, { status: 204 });
  } catch {
    return new Response(null, { status: 400 });
  }
}`;

export interface SecretProps {
  /** Null if the answer with it got lost. */
  readonly secret: string | null;
  readonly onClose: () => void;
}

/** The secret of an endpoint, which is shown once, and what to do with it. */
export function Secret({ secret, onClose }: SecretProps): ReactNode {
  const { secret: text } = useText(screenTexts);
  return (
    <Stack gap="md">
      {secret === null ? (
        <p role="alert">{text.lost}</p>
      ) : (
        <CopyField label={text.label} value={secret} about={text.once} />
      )}
      <CodeBlock title={text.verify} code={snippet} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{text.done}</Button>
      </Group>
    </Stack>
  );
}
