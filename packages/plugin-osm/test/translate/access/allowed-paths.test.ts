/** Paths of access rules: their regular expressions match the same paths, and overlaps are detected. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { pathRegex, pathsOverlap } from '../../../src/translate/access/allowed-paths.ts';

/** Matches a path with a rule character by character. */
function fits(rule: string, path: string): boolean {
  if (rule.startsWith('*')) return path.endsWith(rule.slice(1));
  if (rule.endsWith('*')) return path.startsWith(rule.slice(0, -1));
  return path === rule;
}

/** Few characters, so that paths overlap; all characters that are special in regular expressions. */
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

test('property: the regular expression matches exactly what the rule matches', () => {
  fc.assert(
    fc.property(rule, path, (one, candidate) => {
      assert.is(new RegExp(pathRegex(one)).test(candidate), fits(one, candidate));
    }),
    { numRuns: scaledRuns(2000) },
  );
});

test('property: rules overlap if some path matches both', () => {
  fc.assert(
    fc.property(rule, rule, (one, other) => {
      // If a path matches both, one of these concatenations does.
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
