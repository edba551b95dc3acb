/** Processes that end with the one that started them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { assert, test } from '../src/mod.ts';

const MODULE = new URL('../src/processes/end-with-us.ts', import.meta.url).href;
/** More than Node allows listeners without a warning. */
const CHILDREN = 12;

test('many children end with this process, without a warning of a leak', async () => {
  // Each child holds this pipe open until it ends.
  const script = `
    import { spawn } from 'node:child_process';
    import { endWithUs } from ${JSON.stringify(MODULE)};
    const wait = ['-e', 'setInterval(() => {}, 1000)'];
    for (let i = 0; i < ${CHILDREN}; i += 1) endWithUs(spawn(process.execPath, wait, { stdio: ['ignore', 'inherit', 'ignore'] }));
    setImmediate(() => process.exit(0));
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(parent.stdout), text(parent.stderr), once(parent, 'exit')]);
  assert.equal([stdout, stderr, code], ['', '', 0]);
});

test.run();
