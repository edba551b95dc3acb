// Nothing that could harm code walking it gets in.
import { assert, test } from '@meshrelay/testing';
import { jsonProblem } from '../../src/decode/plain-json.ts';
import { MAX_DEPTH } from '../../src/mod.ts';

test('a __proto__ key is refused wherever it is', () => {
  for (const text of ['{"__proto__": 1}', '{"a": [{"__proto__": {}}]}', '{"a": {"b": {"__proto__": null}}}']) {
    assert.match(String(jsonProblem(JSON.parse(text))?.field), /__proto__$/);
  }
});

test('constructor and prototype are keys like others', () => {
  assert.is(jsonProblem(JSON.parse('{"constructor": {"prototype": {}}}')), undefined);
});

test('deep nesting and cycles are refused', () => {
  const cycle: Record<string, unknown> = {};
  cycle['again'] = [cycle];
  assert.match(String(jsonProblem(cycle)?.message), /contains itself/);
  assert.match(String(jsonProblem(JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`))?.message), /levels deep/);
  assert.is(jsonProblem(JSON.parse(`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`)), undefined);
});

test('sharing nodes does not hide how deep they stand', () => {
  const chain: unknown[] = [[]];
  for (let level = 0; level < 500; level++) chain.push([chain.at(-1)]);
  assert.match(String(jsonProblem(chain)?.message), /levels deep/);
});

test('nodes shared by many aliases are walked once', () => {
  let node: unknown = 'leaf';
  for (let level = 0; level < 50; level++) node = [node, node, node];
  assert.is(jsonProblem(node), undefined);
});

test('what JSON cannot say is refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 5n, undefined, () => 1, new Date(0), new Map()]) {
    assert.is(jsonProblem({ a: value })?.field, 'a');
  }
});

test.run();
