/** Patterns of schemas mean what they mean to RE2. */
import { assert, test } from '@meshrelay/testing';
import { compilePattern } from '../../src/schema/pattern.ts';

test('classes of Unicode are classes, not the letters they are written with', () => {
  const oneLine = compilePattern('^[^\\p{Cc}]*$');
  assert.ok(oneLine.test('Chapter {p}'));
  assert.not.ok(oneLine.test('one\ntwo'));
  assert.ok(compilePattern('^\\p{Lu}$').test('Ä'));
});

test('a dot is a whole character', () => {
  assert.ok(compilePattern('^.$').test('🙂'));
});

test('what RE2 may escape and JavaScript need not is taken', () => {
  assert.ok(compilePattern('^[a-z\\-\\_]+\\-$').test('a_-'));
  assert.ok(compilePattern('^a{$').test('a{'));
});

test.run();
