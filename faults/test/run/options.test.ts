/** The command line's options, for a matrix of two rows. */
import { assert, test } from '@meshrelay/testing';
import { WHOLE_LOAD } from '../../src/load/plan.ts';
import { type Options, readOptions } from '../../src/run/options.ts';
import type { Row } from '../../src/trial/row.ts';

const row = (id: string): Row => ({ id, title: id, inject: '', expect: '', run: () => Promise.resolve() });
const options = (...argv: readonly string[]): Options =>
  readOptions(argv, { all: [row('F1'), row('F2')], notYet: { F2: 'not built' } });
const idsOf = ({ rows }: Options): readonly string[] => rows.map(({ id }) => id);

test('all rows run, without those that cannot pass yet; a named row runs alone', () => {
  assert.equal(idsOf(options()), ['F1']);
  assert.equal(options().skipped, { F2: 'not built' });
  assert.equal(idsOf(options('F2')), ['F2']);
  assert.is(options('F2').load, undefined);
  assert.throws(() => options('F3'), 'no row F3; there are F1, F2, LOAD');
});

test('a soak has times and load as in production', () => {
  assert.is(options().scale.name, 'short');
  const soak = options('--soak');
  assert.equal([soak.scale.name, soak.scale.slack, soak.scale.repeat], ['full', 1, 3]);
  assert.is(soak.load?.agents, WHOLE_LOAD.agents);
});

test.run();
