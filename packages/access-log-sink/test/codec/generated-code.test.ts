/** The manual decoder reads the same as the code generated from Envoy's protos. */
import type { Buffer } from 'node:buffer';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { AlsDecoder } from '../../src/codec/als-decoder.ts';
import { ALL_FIELDS } from '../../src/codec/projection.ts';
import { alsMessage } from '../support/als-message.ts';
import { entries } from '../support/arbitrary-entries.ts';
import { generatedEntries } from '../support/generated-entries.ts';

/** As text with sorted names, so a header named `constructor` has no special effect. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

function byHand(bytes: Buffer): unknown[] {
  const decoder = new AlsDecoder();
  const found: unknown[] = [];
  decoder.scan(bytes, {
    identifier() {},
    entry: (kind, from, to) => found.push(decoder.decode(bytes, kind, from, to, ALL_FIELDS)),
  });
  return found;
}

/** Entries of one kind: the generated code keeps only the last list of a message, because the lists form a union. */
const oneKind = entries.map((all) => all.filter(({ kind }) => kind === all[0]?.kind));

test('both read the same entries', () => {
  fc.assert(
    fc.property(oneKind, (sent) => {
      const bytes = alsMessage(sent, { node: 'n', logName: 'l' });
      assert.is(shown(byHand(bytes)), shown(generatedEntries(bytes)));
    }),
    { numRuns: scaledRuns(500) },
  );
});

test.run();
