/** meshctl accepts the calls in its README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { callProblem } from './support/commands.ts';
import { callsOf } from './support/doc-page.ts';

const calls = callsOf(readFileSync(join(import.meta.dirname, '../README.md'), 'utf8'));

test('the README shows commands of meshctl', () => assert.ok(calls.length >= 8, calls.join('\n')));

for (const call of calls) test(call, () => assert.is(callProblem(call), undefined));

test.run();
