import { ProblemDisplay, problemOf } from '../../../tools/dev/problems.ts';
import { captureConsole } from './console.ts';

const { lines } = captureConsole();

test.each([
  ['{"level":30,"msg":"request"}', null],
  ['{"level":40,"msg":"slow"}', { text: 'slow', fatal: false }],
  ['{"level":50,"msg":"failed","err":{"message":"no route"}}', { text: 'failed: no route', fatal: true }],
  ['{"level":50,', null],
  ['TypeError: x is not a function', { text: 'TypeError: x is not a function', fatal: true }],
  ['    at throwError (file.ts:1:1)', null],
  ['FATAL:  could not open file', { text: 'FATAL:  could not open file', fatal: true }],
  ['Node.js v24', null],
  ['', null],
])('%s', (line, problem) => {
  expect(problemOf(line)).toEqual(problem);
});

test('of many problems at once a few are shown, with the log that has the others', () => {
  const display = new ProblemDisplay('api', '/logs/api.log');
  for (let n = 1; n <= 100; n += 1) display.show({ text: `number ${n}`, fatal: true });
  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe('api error: number 1');
  expect(lines[5]).toBe('api: more of these in /logs/api.log');
});
