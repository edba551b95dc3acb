// Texts for users (messages, help, references, CRDs) name no constant of the sources, because users cannot look it up.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { assert, test } from '@meshrelay/testing';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = files('packages/*/src/**/*.ts');
const WORD = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g;

function files(...patterns: readonly string[]): Map<string, string> {
  const paths = globSync(patterns, { cwd: ROOT, exclude: (path) => /node_modules|\/dist$/.test(path) }).sort();
  return new Map(paths.map((path) => [path, readFileSync(resolve(ROOT, path), 'utf8')]));
}

/** Text of each literal of a line, without computed parts. */
function literals(line: string): string[] {
  const flat = line.replace(/\$\{[^{}`]*\}/g, '…');
  return [...flat.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(([, one, two, three]) =>
    (one ?? two ?? three ?? '').replace(/\$\{.*$/, ''),
  );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Names of constants, except those that are also values: codes, and terms of the API. */
function constants(): Set<string> {
  const names = new Set<string>();
  const values = new Set<string>();
  for (const text of SOURCES.values()) {
    for (const [, name = ''] of text.matchAll(/\bconst ([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)) names.add(name);
    for (const line of withoutComments(text).split('\n'))
      for (const literal of literals(line)) if (/^[A-Z0-9_]+$/.test(literal)) values.add(literal);
  }
  return names.difference(values);
}

function found(text: string, names: ReadonlySet<string>): string[] {
  return (text.match(WORD) ?? []).filter((word) => names.has(word));
}

test('no message in the sources names one', () => {
  const names = constants();
  assert.ok(names.size > 200, 'constants were found');
  const named = [...SOURCES].flatMap(([path, text]) =>
    withoutComments(text)
      .split('\n')
      .flatMap((line) => literals(line))
      .filter((literal) => literal.includes(' '))
      .flatMap((literal) => found(literal, names).map((name) => `${path}: ${name} in "${literal}"`)),
  );
  assert.equal(named, []);
});

test('no reference and no CRD names one', () => {
  const names = constants();
  const pages = files('docs/reference/**/*.md', 'packages/api/crds/*.yaml');
  assert.ok(pages.size > 10, 'pages were found');
  const named = [...pages].flatMap(([path, text]) => found(text, names).map((name) => `${path}: ${name}`));
  assert.equal(named, []);
});

test.run();
