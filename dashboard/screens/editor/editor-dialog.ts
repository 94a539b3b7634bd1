/** The dialogs of the editor, of which one may be open. */
export type EditorDialog = 'publish' | 'revisions' | 'previewLinks' | 'delete' | 'keys';
