import {
  catalogue,
  eventNames,
  eventPatterns,
  eventsOf,
  namesFor,
} from '../../../domain/events/catalogue.ts';

test('a pattern for each noun stands for its events, and * for all but the ping', () => {
  expect(eventsOf(['*'])).toEqual(eventNames);
  expect(eventsOf(['pending_edit.*'])).toEqual(['pending_edit.created', 'pending_edit.published']);
  expect(eventsOf(['article.published', 'tag.*', 'tag.created'])).toEqual([
    'article.published',
    'tag.created',
    'tag.updated',
    'tag.deleted',
  ]);
  expect(eventsOf(['ping', 'art.*', 'article'])).toEqual([]);
  for (const pattern of eventPatterns) expect(eventsOf([pattern])).not.toEqual([]);
  expect(namesFor('article.schedule_cancelled')).toEqual(['article.schedule_cancelled', 'article.*', '*']);
});

test('what the first release recorded is recorded always', () => {
  const always = Object.entries(catalogue).flatMap(([name, event]) => ('always' in event ? [name] : []));
  expect(always).toEqual([
    'article.published',
    'article.updated',
    'article.unpublished',
    'article.deleted',
    'comment.created',
    'pipeline_run.finished',
    'seo_scan.finished',
  ]);
});
