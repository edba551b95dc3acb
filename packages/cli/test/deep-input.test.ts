/** Objects that are nested too deeply are rejected with their position, whatever the size of the file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_WATCHES } from '@meshrelay/relay-core';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { readObjects } from '../src/input/read-objects.ts';
import { InputError } from '../src/problem.ts';

function rejection(text: string): InputError {
  using folder = temporaryFolder();
  const path = join(folder.path, 'deep.json');
  writeFileSync(path, text);
  try {
    readObjects([path], CORE_WATCHES);
  } catch (error) {
    assert.instance(error, InputError);
    return error as InputError;
  }
  throw new Error('it was read');
}

const service = (spec: string): string => `{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":${spec}}`;

test('an object of many levels', () => {
  const levels = (count: number): string => `${'['.repeat(count)}${']'.repeat(count)}`;
  assert.match(rejection(service(levels(100))).message, /deep\.json.*Service a: nested more than 64 levels deep/);
  assert.match(rejection(service(levels(600_000))).message, /deep\.json.*nested more than 64 levels deep/);
});

test('Lists inside of Lists', () => {
  const depth = 60_000;
  const lists = `${'{"kind":"List","items":['.repeat(depth)}${']}'.repeat(depth)}`;
  assert.match(rejection(lists).message, /deep\.json.*nested too deeply/);
});

test.run();
