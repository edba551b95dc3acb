/** Reports fit a terminal, whatever their messages, and no text is lost. */
import { assert, test } from '@meshrelay/testing';
import { reportLines, wrapped } from '../src/output/report-lines.ts';

test('a summary line, and the message below', () => {
  assert.equal(
    reportLines([
      { code: 'A', severity: 'warning', field: 'spec.policy.retries', message: 'one' },
      { code: 'B', severity: 'info', message: 'two' },
    ]),
    ['warning A at spec.policy.retries', '  one', 'info B', '  two'],
  );
});

test('a long message is wrapped between words', () => {
  const message = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
  const [, ...lines] = reportLines([{ code: 'A', severity: 'error', message }], 4);
  assert.ok(lines.length > 3);
  for (const line of lines) assert.ok(line.length + 4 <= 100, line);
  assert.is(lines.map((line) => line.trim()).join(' '), message);
});

test('a longer word has its own line', () => {
  const name = 'x'.repeat(30);
  assert.equal(wrapped(`see ${name} there`, 10), ['see', name, 'there']);
});

test.run();
