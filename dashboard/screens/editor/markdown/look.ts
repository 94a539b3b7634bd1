import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Headings and emphasis look as they are; marks step back. */
const highlight = HighlightStyle.define([
  { tag: tags.heading1, fontSize: '1.5em', fontWeight: '680', lineHeight: '1.3' },
  { tag: tags.heading2, fontSize: '1.3em', fontWeight: '660', lineHeight: '1.3' },
  { tag: tags.heading3, fontSize: '1.15em', fontWeight: '650' },
  { tag: [tags.heading4, tags.heading5, tags.heading6], fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--accent)' },
  { tag: tags.url, color: 'var(--ink-soft)' },
  { tag: tags.quote, color: 'var(--ink-soft)' },
  { tag: tags.monospace, fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.92em' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], color: 'var(--ink-soft)' },
]);

const surface = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '16.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.65', overflowX: 'hidden' },
  '.cm-content': { padding: '4px 0 40vh', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 2px' },
  '.cm-cursor, .cm-dropCursor': { borderInlineStartColor: 'var(--accent)', borderInlineStartWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-placeholder': { color: 'var(--ink-soft)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-textfield': {
    border: '1px solid var(--line)',
    borderRadius: '5px',
    padding: '4px 8px',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
  },
  '.cm-button': {
    border: '1px solid var(--line)',
    borderRadius: '5px',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
  },
  '.cm-diagnostic-warning': { borderInlineStart: '3px solid var(--mantine-color-yellow-6)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-yellow-5) 35%, transparent)',
  },
  '.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-yellow-5) 70%, transparent)',
  },
});

export const look: Extension = [surface, syntaxHighlighting(highlight)];
