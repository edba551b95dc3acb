/** The parts of a source that the word check reads. */
import { assert, test } from '@meshrelay/testing';
import { splitWords } from '../../words/split.ts';
import { joinLines, tokensOfCode } from '../../words/tokens.ts';

const ids = (source: string): string[] =>
  tokensOfCode(source)
    .filter((token) => token.kind === 'id')
    .map((token) => token.text);
const texts = (source: string): string[] =>
  tokensOfCode(source)
    .filter((token) => token.kind === 'text')
    .map((token) => token.text);

test('splits identifiers and file names into words', () => {
  assert.equal(splitWords('rememberedUntilRest'), 'remembered until rest');
  assert.equal(splitWords('MOST_BYTES'), 'most bytes');
  assert.equal(splitWords('told-policies'), 'told policies');
  assert.equal(splitWords('XdsNack2'), 'xds nack2');
  assert.equal(splitWords('_told'), 'told');
});

test('separates identifiers from strings and comments', () => {
  const source = 'const told = \'a told\'; // told b\n/* told c */ f(told, "told d");';
  assert.equal(ids(source), ['const', 'told', 'f', 'told']);
  assert.equal(texts(source), ['a told', '// told b', '/* told c */', 'told d']);
});

test('reads expressions in templates, also nested ones', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test has a template
  const source = '`a ${ b({ c: `d ${e} f` }) } g` + h';
  assert.equal(ids(source), ['b', 'c', 'e', 'h']);
  assert.equal(texts(source), ['a ', 'd ', ' f', ' g']);
});

test('omits import specifiers', () => {
  assert.equal(texts("import { a } from './told.ts';\nconst b = await import('./told.ts');\nimport './told.ts';"), []);
});

test('handles quotes in regular expressions', () => {
  assert.equal(ids('const a = /[\'"`/]/g; const told = b / c / d;'), ['const', 'a', 'const', 'told', 'b', 'c', 'd']);
  assert.equal(ids("if (x) return /[/'`]/.test(told);"), ['if', 'x', 'return', 'test', 'told']);
});

test('joins the lines of a comment and keeps their numbers', () => {
  const { joined, lineOf } = joinLines('/** It is\n * told of\n   * it. */');
  assert.match(joined, /is told of it/);
  assert.is(lineOf(joined.indexOf('told')), 1);
  assert.is(lineOf(joined.indexOf('it.')), 2);
});

test.run();
