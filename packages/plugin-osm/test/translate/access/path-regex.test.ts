/** Paths of access rules: as regular expressions they mean what they say, and their overlaps are found. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { pathRegex, pathsOverlap } from '../../../src/translate/access/path-regex.ts';

/** What a path of a rule says, character by character. */
function fits(rule: string, path: string): boolean {
  if (rule.startsWith('*')) return path.endsWith(rule.slice(1));
  if (rule.endsWith('*')) return path.startsWith(rule.slice(0, -1));
  return path === rule;
}

/** Few characters, so that paths meet; all that mean something in regular expressions. */
const text = fc.string({
  unit: fc.constantFrom('a', '/', '.', '+', '(', '[', '\\', '$', '^', '|', '?', '{', '}'),
  maxLength: 4,
});
const path = text.map((rest) => `/${rest}`);
const rule = fc.oneof(
  path,
  path.map((start) => `${start}*`),
  text.map((end) => `*${end}`),
);

test('an exact path, a prefix and a suffix', () => {
  assert.is(pathRegex('/books'), '^/books$');
  assert.is(pathRegex('/books*'), '^/books.*$');
  assert.is(pathRegex('*.json'), '^.*\\.json$');
  assert.is(pathRegex('*'), '^.*$');
});

test('property: the regular expression fits just what the rule does', () => {
  fc.assert(
    fc.property(rule, path, (one, candidate) => {
      assert.is(new RegExp(pathRegex(one)).test(candidate), fits(one, candidate));
    }),
    { numRuns: scaledRuns(2000) },
  );
});

test('property: rules overlap where some path fits both', () => {
  fc.assert(
    fc.property(rule, rule, (one, other) => {
      // A path that fits both, if there is one, is made of what the two ask for.
      const [a, b] = [one.replaceAll('*', ''), other.replaceAll('*', '')];
      const candidates = [a, b, a + b, b + a];
      for (let shared = 1; shared < Math.min(a.length, b.length); shared += 1) {
        candidates.push(a + b.slice(shared), b + a.slice(shared));
      }
      const met = candidates.some((candidate) => fits(one, candidate) && fits(other, candidate));
      assert.is(pathsOverlap(one, other), met);
      assert.is(pathsOverlap(other, one), met);
    }),
    { numRuns: scaledRuns(5000) },
  );
});

test.run();
