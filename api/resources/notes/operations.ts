import { currentArticle, readArticle } from '../../../domain/articles/article.ts';
import { getNote, listNotes } from '../../../domain/notes/note.ts';
import { presentNote } from '../../../domain/notes/present.ts';
import { changeNote, deleteNote, writeNote } from '../../../domain/notes/write.ts';
import { reading, writing as writingArticles } from '../articles/operations.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import { created, noContent, ok } from '../../framework/reply.ts';
import { resolvedNoteExample } from './examples.ts';
import { NotePage, NoteQuery, NoteShape, NoteUpdate, NoteWrite } from './schema.ts';

const writing = { ...writingArticles, forDrafts: true };

const list = listOperation({
  id: 'listNotes',
  path: '/articles/:id/notes',
  summary: 'List the notes on an article, oldest first',
  description: 'Readers never see notes, nor do publishable keys.',
  access: { ...reading, publishable: false },
  query: NoteQuery,
  answer: NotePage,
  async read({ db, site, params, query: { resolved, ...request } }) {
    const article = await readArticle(db, site.id, params.id, false);
    return listNotes(db, site, article.id, request, resolved);
  },
  present: presentNote,
});

const create = operation({
  id: 'createNote',
  method: 'POST',
  path: '/articles/:id/notes',
  summary: 'Write a note on an article',
  description:
    'Threads have one level: a reply to a reply joins the thread. A `quote` ties the note to a place, which it follows through edits; if its text is removed, to the nearest other occurrence. An article has 200 notes at most (409).',
  access: writing,
  body: NoteWrite,
  idempotency: 'honoured',
  answers: { 201: NoteShape },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT'],
  async handle({ tx, site, caller, actor, params, body, now }) {
    const article = await currentArticle(tx, site.id, params.id);
    const note = await writeNote({ tx, site, actor, now }, caller, article, body);
    const location = `/articles/${article.id}/notes/${note.id}`;
    return created(presentNote(note), { version: note.version, location });
  },
});

const update = operation({
  id: 'updateNote',
  method: 'PATCH',
  path: '/articles/:id/notes/:note_id',
  summary: 'Edit or resolve a note',
  description: 'The body by its author alone (403), `resolved` by anybody who may write.',
  access: writing,
  body: NoteUpdate,
  conditional: true,
  example: { data: resolvedNoteExample },
  answers: { 200: NoteShape },
  errors: ['FORBIDDEN'],
  async handle({ tx, site, caller, actor, params, body, ifMatch, now }) {
    const article = await currentArticle(tx, site.id, params.id);
    const current = await getNote(tx, article.id, params.note_id);
    ifMatch(current.version);
    const note = await changeNote({ tx, site, actor, now }, caller, current, body);
    return ok(presentNote(note), { version: note.version });
  },
});

const remove = operation({
  id: 'deleteNote',
  method: 'DELETE',
  path: '/articles/:id/notes/:note_id',
  summary: 'Delete a note, and its replies',
  description: 'By its author, or a person with the permission articles.publish (else 403).',
  access: writing,
  conditional: true,
  answers: { 204: null },
  async handle({ tx, site, caller, actor, params, ifMatch, now }) {
    const article = await currentArticle(tx, site.id, params.id);
    const current = await getNote(tx, article.id, params.note_id);
    ifMatch(current.version);
    deleteNote({ tx, site, actor, now }, caller, current);
    return noContent();
  },
});

export const noteOperations = [list, create, update, remove];
