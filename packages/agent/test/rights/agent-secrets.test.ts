/** Rights are kept to names: those are the names that an agent gives its Secrets. */
import { CLIENT_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/pki';
import { AGENT_SECRETS } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { AUTHORITY_SECRET } from '../../src/data-plane/roots/authority-secret.ts';
import { AGENT_PEERS } from '../../src/peers/agent-peers.ts';

test('the rights name every Secret of an agent', () => {
  const used = [ROOT_SECRET, TOKEN_SECRET, CLIENT_SECRET, AUTHORITY_SECRET, AGENT_PEERS.secret];
  assert.equal([...AGENT_SECRETS].sort(), used.sort());
});

test.run();
