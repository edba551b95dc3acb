// `kubectl explain` must describe every field.
import { assert, test } from '@meshrelay/testing';
import { kinds } from '../../src/mod.ts';
import { formatFieldPath } from '../../src/text/field-path.ts';
import { places, schemaOf } from '../support/fields.ts';

for (const { kind } of kinds) {
  test(`${kind} is described by a sentence`, () => assert.match(schemaOf(kind).description ?? '', /\.$/));

  test(`every field of ${kind} is described`, () => {
    const silent = places(schemaOf(kind))
      .filter(
        ({ path, schema }) =>
          typeof path.at(-1) === 'string' && !path.at(-1)?.toString().includes('/') && schema.description === undefined,
      )
      .map(({ path }) => formatFieldPath(path))
      .filter((field) => field !== 'metadata');
    assert.equal(silent, []);
  });
}

test.run();
