import { useState } from 'react';
import type { ReactNode } from 'react';
import type { BulkRequest } from '../../../sdk/src/index.ts';
import { TermPicker, TermsPicker } from '../../content/term-picker.tsx';
import { useText } from '../../text/texts.ts';
import { Modal, Text } from '../../ui/controls.ts';
import { Form, fieldError, FormButtons } from '../../ui/form.tsx';
import { bulkTexts } from './bulk-text.ts';

export interface BulkDialogProps {
  readonly action: 'set_category' | 'set_author' | 'add_tags' | 'remove_tags';
  readonly count: number;
  readonly onClose: () => void;
  readonly onApply: (request: Omit<BulkRequest, 'article_ids'>) => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** Asks for the category, author or tags that the selected articles get. */
export function BulkDialog({
  action,
  count,
  onClose,
  onApply,
  isPending,
  error,
}: BulkDialogProps): ReactNode {
  const text = useText(bulkTexts);
  const [id, setId] = useState<string | null>(null);
  const [tagIds, setTagIds] = useState<readonly string[]>([]);
  const isOfTags = action === 'add_tags' || action === 'remove_tags';
  const request = isOfTags
    ? { action, tag_ids: tagIds }
    : { action, [action === 'set_category' ? 'category_id' : 'author_id']: id };
  const picker = isOfTags ? (
    <TermsPicker
      kind="tags"
      label={text.tags}
      value={tagIds}
      onChange={setTagIds}
      {...fieldError(error, 'tag_ids')}
    />
  ) : (
    <>
      <TermPicker
        kind={action === 'set_category' ? 'categories' : 'authors'}
        label={action === 'set_category' ? text.category : text.author}
        value={id}
        onChange={setId}
        {...fieldError(error, action === 'set_category' ? 'category_id' : 'author_id')}
      />
      <Text size="sm" c="dimmed">
        {action === 'set_category' ? text.noCategory : text.noAuthor}
      </Text>
    </>
  );
  return (
    <Modal opened onClose={onClose} title={text[action].replace(' …', '')} centered>
      <Form
        onSubmit={() => onApply(request)}
        error={error}
        actions={
          <FormButtons isPending={isPending} disabled={isOfTags && tagIds.length === 0} onCancel={onClose}>
            {text.apply(count)}
          </FormButtons>
        }
      >
        {picker}
      </Form>
    </Modal>
  );
}
