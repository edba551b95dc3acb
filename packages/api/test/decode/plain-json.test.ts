// Constructs that could harm code that walks them are rejected.
import { assert, test } from '@meshrelay/testing';
import { jsonProblem } from '../../src/decode/plain-json.ts';
import { MAX_DEPTH } from '../../src/mod.ts';

test('a __proto__ key is rejected wherever it is', () => {
  for (const text of ['{"__proto__": 1}', '{"a": [{"__proto__": {}}]}', '{"a": {"b": {"__proto__": null}}}']) {
    assert.match(String(jsonProblem(JSON.parse(text))?.field), /__proto__$/);
  }
});

test('constructor and prototype are ordinary keys', () => {
  assert.is(jsonProblem(JSON.parse('{"constructor": {"prototype": {}}}')), undefined);
});

test('deep nesting and cycles are rejected', () => {
  const cycle: Record<string, unknown> = {};
  cycle['again'] = [cycle];
  assert.match(String(jsonProblem(cycle)?.message), /contains itself/);
  assert.match(String(jsonProblem(JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`))?.message), /levels deep/);
  assert.is(jsonProblem(JSON.parse(`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`)), undefined);
});

test('shared nodes do not hide their nesting depth', () => {
  const chain: unknown[] = [[]];
  for (let level = 0; level < 500; level++) chain.push([chain.at(-1)]);
  assert.match(String(jsonProblem(chain)?.message), /levels deep/);
});

test('nodes shared by many aliases are walked once', () => {
  let node: unknown = 'leaf';
  for (let level = 0; level < 50; level++) node = [node, node, node];
  assert.is(jsonProblem(node), undefined);
});

test('values that JSON cannot express are rejected', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 5n, undefined, () => 1, new Date(0), new Map()]) {
    assert.is(jsonProblem({ a: value })?.field, 'a');
  }
});

test.run();
