/** Rights are kept to names: those are the names that an agent gives its Secrets. */
import { AGENT_PEERS_SECRET, CLIENT_SECRET, DATA_PLANE_CA_SECRET, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/pki';
import { AGENT_SECRETS } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';

test('the rights name every Secret of an agent', () => {
  const used = [ROOT_SECRET, TOKEN_SECRET, CLIENT_SECRET, DATA_PLANE_CA_SECRET, AGENT_PEERS_SECRET];
  assert.equal([...AGENT_SECRETS].sort(), used.sort());
});

test.run();
