/** An object missing from the table means nothing until everything was sent. */

import { output } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { DesiredTable } from '../../src/apply/desired-table.ts';
import { subject, written } from './outputs.ts';

const outputOf = (name: string) => {
  const { id, kind } = subject(name);
  return { id, kind, hash: 'h', object: output('VirtualService', name) };
};

test('an object that was not sent is unknown, and not desired only once everything was sent', () => {
  const table = new DesiredTable();
  const { id } = subject('a');
  assert.is(table.get(id), undefined);
  table.setComplete(true);
  assert.equal(table.get(id), { state: 'nothing' });
  table.setComplete(false);
  assert.is(table.get(id), undefined);
});

test('a rejected version leaves the last admitted one desired, or the object in the cluster unchanged', () => {
  const table = new DesiredTable();
  table.refuse(subject('a').id);
  table.desire(outputOf('b'));
  table.refuse(subject('b').id);
  table.setComplete(true);
  assert.equal(table.get(subject('a').id), { state: 'as-is' });
  assert.is(table.get(subject('b').id)?.state, 'object');
  assert.is(table.size, 1);
  assert.equal([...table.counts()], [[written('VirtualService'), 1]]);
});

test('an object to be deleted stays in that state until it is deleted', () => {
  const table = new DesiredTable();
  table.desire(outputOf('a'));
  table.remove(subject('a').id);
  assert.equal(table.get(subject('a').id), { state: 'nothing' });
  table.settle(subject('a').id);
  assert.is(table.get(subject('a').id), undefined);
  table.desire(outputOf('a'));
  table.settle(subject('a').id);
  assert.is(table.get(subject('a').id)?.state, 'object', 'one that is wanted again is not forgotten');
});

test.run();
