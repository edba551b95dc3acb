/** The word check on small trees in memory. */
import { assert, test } from '@meshrelay/testing';
import { checkWords, countByPattern } from '../../words/check.ts';
import { type Allowed, parsePatterns, readAllowed, readPatterns } from '../../words/data.ts';
import { compareTotals } from '../../words/ratchet.ts';

const PATTERNS = parsePatterns(`
{"name": "told", "in": "id", "re": "\\\\btold\\\\b", "to": "reported"}
{"name": "is told", "in": "text", "re": "\\\\bis told\\\\b", "to": "gets a report"}
`);

function find(files: Record<string, string>, allowed: readonly Allowed[] = []): string[] {
  return checkWords(new Map(Object.entries(files)), PATTERNS, allowed).findings.map(
    ({ file, line, found, pattern }) => `${file}:${line} ${found} -> ${pattern.to}`,
  );
}

test('finds words in identifiers of any form', () => {
  assert.equal(find({ 'a.ts': 'const toldOf = 1;\nf(TOLD_BY, untold);' }), [
    'a.ts:1 toldOf -> reported',
    'a.ts:2 TOLD_BY -> reported',
  ]);
});

test('finds words in the names of files and folders, each folder once', () => {
  assert.equal(find({ 'told/told-by.test.ts': '', 'told/b.ts': '' }), [
    'told/told-by.test.ts:0 told/told-by.test.ts -> reported',
    'told:0 told -> reported',
  ]);
});

test('finds phrases in comments, strings, Markdown and YAML, also across lines', () => {
  assert.equal(
    find({
      'a.ts': "/** The agent is\n * told. */\nconst a = 'It Is Told';",
      'b.md': 'x\n\nThe policy is\ntold.',
      'c.yaml': 'description: it is told',
    }),
    [
      'a.ts:1 is told -> gets a report',
      'a.ts:3 Is Told -> gets a report',
      'b.md:3 is told -> gets a report',
      'c.yaml:1 is told -> gets a report',
    ],
  );
});

test('ignores identifiers in texts, and phrases in code', () => {
  assert.equal(find({ 'a.ts': "const isTold2 = 'told';", 'b.md': '`told`' }), []);
});

test('allows paths, file names, tokens, and tokens within paths', () => {
  const files = { 'gen/told.ts': 'told', 'docs/told.md': 'is told', 'a/b.ts': 'told; toldOf', 'c.ts': 'told' };
  const allowed: Allowed[] = [
    { path: 'gen/**', why: '' },
    { path: 'docs/*', in: 'path', why: '' },
    { path: 'a/**', token: 'told', why: '' },
  ];
  assert.equal(
    find(files, allowed),
    [
      'gen:0 gen -> reported',
      'docs/told.md:1 is told -> gets a report',
      'a/b.ts:1 toldOf -> reported',
      'c.ts:1 told -> reported',
    ].slice(1),
  );
});

test('a line opts out of one word with a reason, and is counted', () => {
  const source = 'told; // words: allow told — a field of others\ntold; // words: allow told';
  const { findings, optOuts } = checkWords(new Map([['a.ts', source]]), PATTERNS, []);
  assert.equal(
    findings.map(({ line }) => line),
    [2],
  );
  assert.equal(optOuts, ['a.ts:1']);
});

test('totals must equal the stored ones: neither higher nor lower', () => {
  const today = new Map([
    ['a', 2],
    ['b', 1],
  ]);
  assert.equal(compareTotals(today, { a: 2, b: 1 }), { grown: [], problems: [] });
  assert.equal(compareTotals(today, { a: 1, b: 1 }).grown, ['a']);
  assert.match(compareTotals(today, { a: 3, b: 1 }).problems.join(), /lower the total/);
  assert.match(compareTotals(today, { a: 2, b: 1, c: 0 }).problems.join(), /no such pattern/);
  assert.equal(compareTotals(today, undefined).grown, ['a', 'b']);
});

test('totals that are all 0 need no file', () => {
  const none = new Map([['a', 0]]);
  assert.match(compareTotals(none, { a: 0 }).problems.join(), /delete/);
  assert.equal(compareTotals(none, undefined).problems, []);
});

test('each pattern has a unique name, matches something, and names a replacement', () => {
  const patterns = readPatterns();
  assert.is(new Set(patterns.map(({ name }) => name)).size, patterns.length);
  assert.ok(patterns.every(({ to, re }) => to !== '' && !re.test('')));
  assert.is(countByPattern(patterns, []).size, patterns.length);
  assert.ok(readAllowed().every(({ why, path, token }) => why !== '' && (path ?? token) !== undefined));
});

test.run();
