/** Patterns of schemas have the same meaning as in RE2. */
import { assert, test } from '@meshrelay/testing';
import { compilePattern } from '../../src/schema/pattern.ts';

test('Unicode classes are classes, not literal letters', () => {
  const oneLine = compilePattern('^[^\\p{Cc}]*$');
  assert.ok(oneLine.test('Chapter {p}'));
  assert.not.ok(oneLine.test('one\ntwo'));
  assert.ok(compilePattern('^\\p{Lu}$').test('Ä'));
});

test('a dot matches a whole character', () => {
  assert.ok(compilePattern('^.$').test('🙂'));
});

test('escapes that RE2 allows and JavaScript does not need are accepted', () => {
  assert.ok(compilePattern('^[a-z\\-\\_]+\\-$').test('a_-'));
  assert.ok(compilePattern('^a{$').test('a{'));
});

test.run();
