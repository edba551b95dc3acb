// Every value that a schema allows is decoded and encoded unchanged.
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { arbitrary } from '@meshrelay/testing/arbitrary-value';
import fc from 'fast-check';
import { decodeObject, kinds, validateObject } from '../../src/mod.ts';
import { schemaOf } from '../support/fields.ts';

for (const { kind, group, version } of kinds) {
  test(`random ${kind} objects decode and encode unchanged`, () => {
    const { spec, status } = schemaOf(kind).properties ?? {};
    if (spec === undefined) throw new Error(`${kind} has no spec`);
    const object = fc.record({ spec: arbitrary(spec), ...(status === undefined ? {} : { status: arbitrary(status) }) });
    fc.assert(
      fc.property(object, (parts) => {
        const raw = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'random' }, ...parts };
        const text = JSON.stringify(raw);
        const decoded = decodeObject(JSON.parse(text));
        assert.is(decoded.problems, undefined, JSON.stringify(decoded.problems));
        // A status without any field is left out.
        const empty = 'status' in parts && Object.keys(parts.status as object).length === 0;
        assert.is(JSON.stringify(decoded.object), empty ? JSON.stringify({ ...raw, status: undefined }) : text);
        if (decoded.object !== undefined) assert.equal(validateObject(decoded.object), decoded.reports);
        assert.equal(decodeObject(JSON.parse(text), { unknownFields: 'prune' }), decoded);
      }),
      { numRuns: scaledRuns(100) },
    );
  });
}

test('any value is decoded or rejected, never thrown at', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), (raw) => {
      const decoded = decodeObject(raw);
      assert.ok(decoded.problems !== undefined && decoded.problems.length > 0);
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test.run();
