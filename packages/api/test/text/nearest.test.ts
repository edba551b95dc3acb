// A suggestion must be what a user would have meant, or none.
import { assert, test } from '@meshrelay/testing';
import { nearest } from '../../src/mod.ts';

const fields = ['trafficShift', 'requestTimeout', 'retries', 'mirror', 'mtls', 'csrf'];

test('typing errors find the intended word', () => {
  const meant = {
    retry: 'retries',
    RETRIES: 'retries',
    retires: 'retries',
    requestTimeOut: 'requestTimeout',
    mirorr: 'mirror',
  };
  for (const [typed, word] of Object.entries(meant)) assert.is(nearest(typed, fields), word);
});

test('other words find nothing', () => {
  for (const typed of ['zebra', 'x', '', 'a'.repeat(1000)]) assert.is(nearest(typed, fields), undefined, typed);
});

test('the closest of several wins', () => {
  assert.is(nearest('notPort', ['notPaths', 'notPorts']), 'notPorts');
});

test.run();
