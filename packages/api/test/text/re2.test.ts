// Only expressions that RE2 cannot compile may be rejected.
import { assert, test } from '@meshrelay/testing';
import { re2Problem } from '../../src/text/re2.ts';

const TAKEN = [
  '(a{10}){100}',
  '(a{500}|b{500}){2}',
  '((a{10})*){100}',
  '(a{1000})(b{1000})',
  '(a{0}){1000}',
  '[a-z0-9_-]',
  '[-a]',
  '[a-]',
  '[--a]',
  '[a\\-z]',
  '[!-\\]]',
  '[\\x{10}-\\x{20}]',
  '[[:alpha:]-z]',
  '[\\d-a]',
  '[\\x41-z-a]',
  '[\\x{41}-z-a]',
  '[\\pL-a]',
  '[\\p{Greek}-a]',
  '[]-a]',
  '[^]-a]',
  '',
  'abc',
  '.*',
  '(?i)a+?',
  '(?P<name>a|b)',
  '(?<name>a)',
  '(?:a)(b)',
  '(?i:a)',
  '(?s-m:a)',
  '[]a]',
  '[^]a]',
  '[[:alpha:]_]',
  '[a\\]b]',
  '\\Q(((\\E+',
  '\\Q(((',
  '\\d\\pN\\x{10FFFF}\\z',
  '\\p{Greek}\\P{Lu}\\p{^Han}\\p{Any}\\PL',
  '[\\p{Greek}\\pN_]',
  '\\\\p{Elvish}',
  '[\\\\p{Elvish}]',
  '\\Q\\p{Elvish}\\E',
  '\\012',
  'a{2}b{3,}c{4,5}?',
  'a{,5}',
  'a{',
  '^*',
  '|a',
  '()',
  'a(?i)b',
  'a{2}(?i)+?',
  '/v[0-9]+/(users|orders)(/.*)?',
];
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['(?=a)', /look-around/],
  ['(?!a)', /look-around/],
  ['(?<=a)', /look-around/],
  ['(?<!a)', /look-around/],
  ['(a)\\1', /back reference/],
  ['(a', /never closed/],
  ['a)', /has no \(/],
  ['[a', /never closed/],
  ['[]', /never closed/],
  ['[^]', /never closed/],
  ['[)[:alpha:]', /never closed/],
  ['[\\b]', /wrong/],
  ['a\\E', /not a known escape/],
  ['*a', /repeats nothing/],
  ['(+)', /repeats nothing/],
  ['a|*', /repeats nothing/],
  ['a**', /repeats nothing/],
  ['a{2}{3}', /repeats nothing/],
  ['a{1001}', /1000/],
  ['a{3,2}', /counts down/],
  ['(a{500}){500}', /more than 1000/],
  ['((a{10}){10}b){11}', /more than 1000/],
  ['(?:a{1000}|b){2,}', /more than 1000/],
  ['[z-a]', /z-a runs backwards/],
  ['[^0-9z-a]', /z-a runs backwards/],
  ['[a-[:alpha:]]', /runs backwards/],
  ['[\\]-!]', /runs backwards/],
  ['(?>a)', /unknown kind/],
  ['\\', /escapes nothing/],
  ['\\y', /not a known escape/],
  ['\\p{Elvish}', /^\\p\{Elvish\} names no group/],
  ['\\P{greek}', /names no group/],
  ['\\p{Greek', /names no group/],
  ['\\p{}', /names no group/],
  ['\\p{^}', /names no group/],
  ['\\p{Cn}', /names no group/],
  ['\\pQ', /^\\pQ names no group/],
  ['\\p', /names no group/],
  ['[a\\p{Elvish}]', /^\\p\{Elvish\} names no group/],
  ['[^\\PQ]', /^\\PQ names no group/],
];

test('expressions that RE2 accepts are accepted', () => {
  for (const pattern of TAKEN) assert.is(re2Problem(pattern), undefined, pattern);
});

test('expressions that RE2 cannot compile are rejected', () => {
  for (const [pattern, problem] of REFUSED) assert.match(String(re2Problem(pattern)), problem, pattern);
});

test('long patterns are checked quickly', () => {
  assert.is(re2Problem('(a*)*b|'.repeat(150)), undefined);
  assert.match(String(re2Problem('['.repeat(1024))), /never closed/);
});

test.run();
