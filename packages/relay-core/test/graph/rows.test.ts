/** Rows: one number a key, used again once it is free, and columns without holes. */
import { assert, test } from '@meshrelay/testing';
import { key } from '../../src/graph/key.ts';
import { countInColumn, NO_ROW, Rows, setInColumn } from '../../src/graph/rows.ts';

test('a key keeps its row until it is freed, and the next key gets that row', () => {
  const rows = new Rows();
  const [a, b, c] = [key('a'), key('b'), key('c')];
  assert.is(rows.take(a), 0);
  assert.is(rows.take(b), 1);
  assert.is(rows.take(a), 0);
  rows.free(0);
  assert.is(rows.of(a), NO_ROW);
  assert.is(rows.take(c), 0);
  assert.is(rows.key(0), c);
  assert.is(rows.size, 2);
});

test('a column is filled up to the row that is set', () => {
  const column: string[] = [];
  setInColumn(column, 2, 'x', '');
  assert.equal(column, ['', '', 'x']);
  assert.is(countInColumn(column, ''), 1);
});

test.run();
