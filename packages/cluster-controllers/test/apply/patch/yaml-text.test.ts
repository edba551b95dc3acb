/** A user's YAML keeps every byte that does not belong to the field. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { PatchTypeMismatchError } from '../../../src/apply/patch/patch-type-mismatch-error.ts';
import { withYamlValue, yamlValue } from '../../../src/apply/patch/yaml-text.ts';

const WRITTEN = `# our mesh, do not touch
defaultConfig:   # proxies
  discoveryAddress:  istiod.istio-system.svc:15012
  tracing: {sampling: 10.5}   # ten and a half

# trust
trustDomain: "one.example"
extensionProviders:
- name: long
  text: |
    several

    lines
rootNamespace: 'istio-config' # quoted
`;

test('a missing field becomes one line at the end, and is removed without a trace', () => {
  const patched = withYamlValue(WRITTEN, ['trustDomainAliases'], ['two.example', 'three.example']);
  assert.is(patched, `${WRITTEN}trustDomainAliases: ["two.example", "three.example"]\n`);
  assert.is(withYamlValue(patched, ['trustDomainAliases'], undefined), WRITTEN);
});

test('texts stay texts for readers of older YAML, at any position', () => {
  const words = ['8_', '1_000', 'yes', 'off', 'n', '0b1', '0o7', '1:30', '2001-01-01', '=', 'null'];
  for (const text of ['{}\n', '{a: 1}\n', 'a: {}\n', 'aliases: [b]\n', 'aliases:\n- b\n', '']) {
    const patched = withYamlValue(text, ['aliases'], [...words, { on: 'yes' }]);
    const aliases = parse(patched, { version: '1.1' }).aliases as unknown;
    assert.equal(aliases, [...words, { on: 'yes' }], text);
  }
});

test('a nested field is placed with its siblings', () => {
  const patched = withYamlValue(WRITTEN, ['defaultConfig', 'concurrency'], 2);
  assert.match(patched, '  tracing: {sampling: 10.5}   # ten and a half\n  concurrency: 2\n\n# trust');
  assert.is(withYamlValue(patched, ['defaultConfig', 'concurrency'], undefined), WRITTEN);
});

for (const [layout, list, longer] of [
  ['a block list', 'aliases:\n- a   # first\n- "b"\nafter: 1\n', 'aliases:\n- a   # first\n- "b"\n- "c"\nafter: 1\n'],
  ['an indented list', 'aliases:\n  -  a\n  -  b\n', 'aliases:\n  -  a\n  -  b\n  -  "c"\n'],
  ['a flow list', 'aliases: [a,  b ] # two\nafter: 1\n', 'aliases: [a,  b, "c" ] # two\nafter: 1\n'],
  ['a list without a last newline', 'aliases:\n- a\n- b', 'aliases:\n- a\n- b\n- "c"'],
] as const) {
  test(`${layout} gets a member and loses it`, () => {
    const patched = withYamlValue(list, ['aliases'], ['a', 'b', 'c']);
    assert.is(patched, longer);
    assert.is(withYamlValue(patched, ['aliases'], ['a', 'b']), list);
  });
}

test('members are removed at any position', () => {
  assert.is(withYamlValue('x: [a, b, c]\n', ['x'], ['b', 'c']), 'x: [b, c]\n');
  assert.is(withYamlValue('x: [a, b, c]\n', ['x'], ['a', 'c']), 'x: [a, c]\n');
  assert.is(withYamlValue('x:\n- a\n- b # two\n- c\n', ['x'], ['a', 'c', 'd']), 'x:\n- a\n- c\n- "d"\n');
});

test('a value is replaced in place, an empty list grows in place', () => {
  assert.is(withYamlValue('a: 1 # one\nb: 2\n', ['a'], true), 'a: true # one\nb: 2\n');
  assert.is(withYamlValue('a: [] # none\n', ['a'], ['x']), 'a: ["x"] # none\n');
  assert.is(withYamlValue('a: ["x"] # none\n', ['a'], []), 'a: [] # none\n');
});

test('text with an unusual layout is still understood', () => {
  for (const text of [
    '',
    '# nothing\n',
    '{a: 1, b: {c: 2}}',
    '{"a": 1}\n',
    'x:\n',
    'x: ~\n',
    '? x\n: [a]\n',
    'y: &l [a]\nx: *l\n',
  ]) {
    const patched = withYamlValue(text, ['x'], ['a', 'b']);
    assert.equal(yamlValue(patched, ['x']), ['a', 'b']);
    const { x: _, ...others } = (parse(text) ?? {}) as Record<string, unknown>;
    assert.equal((({ x: _x, ...rest }) => rest)(parse(patched) as Record<string, unknown>), others);
  }
});

test('text that is not YAML, or that the field does not fit, stays unchanged', () => {
  for (const text of ['a: [', 'a: b: c', 'just text', '- a\n- b\n', '--- \na: 1\n---\nb: 2\n'])
    assert.throws(
      () => withYamlValue(text, ['x'], 1),
      (error: unknown) => error instanceof PatchTypeMismatchError,
      text,
    );
  assert.throws(
    () => withYamlValue('a: 1\n', ['a', 'b'], 1),
    (error: unknown) => error instanceof PatchTypeMismatchError,
  );
});

test('any document: the field is set, the rest stays, and the original text comes back', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const data = fc.dictionary(
    fc.constantFrom('a', 'b', 'mesh', 'x-y', 'on'),
    fc.oneof(value, fc.dictionary(fc.constantFrom('p', 'q'), value)),
    {
      minKeys: 1,
    },
  );
  fc.assert(
    fc.property(data, fc.boolean(), fc.array(fc.string(), { minLength: 1, maxLength: 3 }), (content, flow, list) => {
      const plain = JSON.parse(JSON.stringify(content)) as Record<string, unknown>;
      const text = stringify(plain, { collectionStyle: flow ? 'flow' : 'block' });
      const patched = withYamlValue(text, ['aliases'], list);
      assert.equal(parse(patched), { ...plain, aliases: list });
      assert.equal(parse(withYamlValue(patched, ['aliases'], undefined)), plain);
      if (!flow) assert.is(withYamlValue(patched, ['aliases'], undefined), text);
    }),
    { numRuns: scaledRuns(200) },
  );
});

test('a member joins the others of a list, changes, and is removed without a trace', () => {
  const path = ['extensionProviders', '[member]'];
  const patched = withYamlValue(WRITTEN, path, { name: 'member', port: 1 });
  assert.is(patched.replace('- {"name": "member", "port": 1}\n', ''), WRITTEN, 'one line more');
  assert.equal(yamlValue(patched, path), { name: 'member', port: 1 });
  const changed = withYamlValue(patched, path, { name: 'member', port: 2 });
  assert.equal(yamlValue(changed, path), { name: 'member', port: 2 });
  assert.is(withYamlValue(changed, path, undefined), WRITTEN);
});

test('a member does not fit a value that is not a list', () => {
  assert.throws(() => withYamlValue(WRITTEN, ['trustDomain', '[member]'], { name: 'member' }), /no list/);
});

test.run();
