/** The changelog has what the changesets say. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { notesOf, releaseNotes, withRelease } from '../../release/changelog.ts';
import { type Changeset, readChangesets } from '../../release/changesets.ts';

const CHANGES: readonly Changeset[] = [
  { id: 'b', bump: 'patch', text: 'A server starts again.' },
  { id: 'c', bump: 'minor', text: 'meshctl has `create`.\n\nInstall the CRDs first:\n\n- one\n- two' },
];

test('a section lists changes, then fixes', () => {
  assert.is(
    releaseNotes(CHANGES),
    [
      '### Changes\n',
      '- meshctl has `create`.\n',
      '  Install the CRDs first:\n',
      '  - one',
      '  - two\n',
      '### Fixes\n',
      '- A server starts again.',
    ].join('\n'),
  );
});

test('a changeset whose name ends in -release introduces the section', () => {
  const first: Changeset = { id: 'first-release', bump: 'minor', text: 'Meshrelay manages meshes.' };
  const notes = releaseNotes([CHANGES[0] as Changeset, first]);
  assert.is(notes, 'Meshrelay manages meshes.\n\n### Fixes\n\n- A server starts again.');
  assert.is(releaseNotes([first]), 'Meshrelay manages meshes.');
});

test('releases follow each other, the newest first, and each is found again', () => {
  const first = withRelease(undefined, '0.1.0', 'Meshrelay manages meshes.');
  const second = withRelease(first, '0.2.0', releaseNotes(CHANGES));
  assert.equal(second.match(/^## .*$/gm), ['## 0.2.0', '## 0.1.0']);
  assert.is(notesOf(second, '0.1.0'), 'Meshrelay manages meshes.');
  assert.is(notesOf(second, '0.2.0'), releaseNotes(CHANGES));
  assert.is(withRelease(second, '0.3.0', 'More.').split('# Changelog').length, 2);
  assert.throws(() => notesOf(second, '0.3.0'), /CHANGELOG\.md has no section 0\.3\.0/);
});

function changesetFile(text: string): { readonly read: () => readonly Changeset[] } & Disposable {
  const folder = temporaryFolder();
  mkdirSync(join(folder.path, '.changeset'));
  writeFileSync(join(folder.path, '.changeset/README.md'), 'How to write one.');
  writeFileSync(join(folder.path, '.changeset/quick-fox.md'), text);
  return { read: () => readChangesets(folder.path), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('a changeset has the largest of its bumps', () => {
  using file = changesetFile(`---\n'@meshrelay/api': patch\n"@meshrelay/cli": minor\n---\n\nBoth.\n`);
  assert.equal(file.read(), [{ id: 'quick-fox', bump: 'minor', text: 'Both.' }]);
});

for (const [what, text] of [
  ['no text', "---\n'@meshrelay/api': patch\n---\n\n"],
  ['no packages', '---\n---\n\nText.\n'],
  ['no head', 'Text.\n'],
] as const)
  test(`a changeset with ${what} is refused by its name`, () => {
    using file = changesetFile(text);
    assert.throws(file.read, /\.changeset\/quick-fox\.md: expected packages/);
  });

test.run();
