/** The candidates include every match whose path covers another, and few others. */
import type { HttpMatcher } from '@meshrelay/api';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { matchView } from '../../../src/resolve/traffic/match-view.ts';
import { relationOf } from '../../../src/resolve/traffic/relation/match-relation.ts';
import { WidePaths } from '../../../src/resolve/traffic/wide-paths.ts';

const text = fc.stringMatching(/^\/[aA]{0,2}(\/[bΣσ]{0,2})?$/);
const matcher: fc.Arbitrary<HttpMatcher> = fc
  .record({ kind: fc.constantFrom('exact', 'prefix', 'regex', 'suffix', 'none'), text, ignoreCase: fc.boolean() })
  .map(({ kind, text: path, ignoreCase }) => (kind === 'none' ? {} : { uri: { [kind]: path, ignoreCase } }));

test('no match that covers another is missed', () => {
  fc.assert(
    fc.property(fc.array(matcher, { maxLength: 12 }), (matchers) => {
      const matches = matchers.map((one) => matchView(one, {}));
      const wide = new WidePaths(matches);
      for (const narrow of matches) {
        const found = wide.candidates(narrow);
        assert.equal(
          [...found],
          [...new Set(found)].sort((a, b) => a - b),
        );
        for (const [position, one] of matches.entries())
          if (['covers', 'equal'].includes(relationOf(one, narrow))) assert.ok(found.includes(position));
      }
    }),
    { numRuns: scaledRuns(2000) },
  );
});

test('of a thousand paths, only prefixes of the given path are compared', () => {
  const paths = Array.from({ length: 1000 }, (_, at): HttpMatcher => ({ uri: { prefix: `/v1/${at}` } }));
  const matches = [...paths, {}].map((one) => matchView(one, {}));
  assert.equal(
    [...new WidePaths(matches).candidates(matchView({ uri: { exact: '/v1/123/x' } }, {}))],
    [1, 12, 123, 1000],
  );
});

test.run();
