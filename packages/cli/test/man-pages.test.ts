/** The man pages: every command has one, and roff reads each as it is meant. */
import { spawnSync } from 'node:child_process';
import { assert, test } from '@meshrelay/testing';
import { manPages } from '../scripts/man-pages.ts';
import { createProgram } from '../src/program.ts';
import { leaves } from './support/commands.ts';

const PAGES = manPages(createProgram());
/** The requests of man(7) that the pages use. */
const REQUESTS = /^\.(\\"|TH|SH|PP|TP|B|nf|fi)( |$)/;

test('every command has a page with its options and examples', () => {
  for (const { name, command } of leaves()) {
    const page = PAGES.get(`meshctl-${name.replaceAll(' ', '-')}.1`);
    assert.ok(page, name);
    for (const section of ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'EXAMPLES', 'EXIT STATUS', 'SEE ALSO'])
      assert.match(page, `\n.SH ${section}\n`);
    for (const { flags } of command.options) assert.match(page, `\\fB${flags.replaceAll('-', '\\-')}\\fR`);
  }
  assert.match(PAGES.get('meshctl-cluster.1') ?? '', 'see meshctl\\-cluster\\-list(1)');
  assert.match(PAGES.get('meshctl.1') ?? '', '\n.SH COMMANDS\n');
});

test('no text is taken for a request or an escape', () => {
  for (const [name, page] of PAGES)
    for (const line of page.split('\n')) {
      if (/^[.']/.test(line)) assert.match(line, REQUESTS, name);
      assert.equal(
        line.replaceAll(/\\(-|e|&|fB|fI|fR|"|\[u[0-9A-F]{4,5}\])/g, '').includes('\\'),
        false,
        `${name}: ${line}`,
      );
    }
});

test('where groff is installed, it formats every page without a warning', () => {
  for (const [name, page] of PAGES) {
    const { error, status, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-z'], {
      input: page,
      encoding: 'utf8',
    });
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
    assert.equal([status, stderr], [0, ''], name);
  }
});

test.run();
