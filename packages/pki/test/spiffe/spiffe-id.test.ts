/** SPIFFE IDs against the cases of go-spiffe, and the identity of agents. */
import { readFileSync } from 'node:fs';
import { assert, sharedPath, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { parse } from 'yaml';
import { isMalformed } from '../../src/pki-error.ts';
import { agentIdentity, readAgentIdentity } from '../../src/spiffe/agent-identity.ts';
import { formatSpiffeId, spiffeId, spiffeIdParts, trustDomain } from '../../src/spiffe/spiffe-id.ts';

interface Oracle {
  readonly valid: readonly { readonly id: string; readonly trustDomain: string; readonly path: string }[];
  readonly invalid: readonly { readonly id: string }[];
  readonly sweep: {
    readonly table: { readonly validInTrustDomain: string; readonly validInPathSegment: string };
    readonly cases: number;
  };
}

function accepts(text: string): boolean {
  try {
    spiffeId(text);
    return true;
  } catch (error) {
    if (isMalformed(error)) return false;
    throw error;
  }
}

const file = sharedPath('oracles', 'spiffe', 'spiffe-ids.yaml');
if (file !== undefined) {
  const { valid, invalid, sweep } = parse(readFileSync(file, 'utf8')) as Oracle;

  test('parses every valid id into its parts', () => {
    for (const { id, ...parts } of valid) assert.equal(spiffeIdParts(spiffeId(id)), parts, id);
  });

  test('rejects every invalid id', () => {
    assert.equal(
      invalid.filter(({ id }) => accepts(id)),
      [],
    );
  });

  test('each of the 256 first characters is allowed exactly where the standard says', () => {
    const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => character !== '/',
    );
    for (const character of characters) {
      const { validInTrustDomain, validInPathSegment } = sweep.table;
      assert.is(
        accepts(`spiffe://trustdomain${character}/path`),
        validInTrustDomain.includes(character),
        `domain ${character}`,
      );
      assert.is(
        accepts(`spiffe://trustdomain/path${character}`),
        validInPathSegment.includes(character),
        `path ${character}`,
      );
    }
    assert.is(characters.length * 2, sweep.cases);
  });
}

test('lengths end at 2048 characters and 255 of trust domain', () => {
  assert.ok(accepts(`spiffe://d/${'a'.repeat(2037)}`));
  assert.not.ok(accepts(`spiffe://d/${'a'.repeat(2038)}`));
  assert.ok(accepts(`spiffe://${'d'.repeat(255)}`));
  assert.not.ok(accepts(`spiffe://${'d'.repeat(256)}`));
});

test('formatting rejects segments that would make another path', () => {
  const domain = trustDomain('relay.example');
  assert.is(formatSpiffeId(domain, 'cluster', 'c1'), 'spiffe://relay.example/cluster/c1');
  for (const segment of ['', '.', '..', 'a/b', 'a b', 'a%2fb', 'a\n', 'é']) {
    assert.throws(() => formatSpiffeId(domain, segment), isMalformed, segment);
  }
});

test('an agent identity yields its cluster for any valid name', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/), (cluster) => {
      const identity = agentIdentity(trustDomain('relay.example'), cluster);
      assert.equal(readAgentIdentity(identity), { trustDomain: 'relay.example', cluster });
    }),
  );
});

test('names that are not DNS labels are not clusters', () => {
  for (const name of [
    '',
    'C1',
    'c1/agent',
    'c1/../c2',
    '../c1',
    '-c1',
    'c1-',
    'c_1',
    'c1.',
    'c1.c2',
    'ｃ1',
    'с1',
    'c1\0',
    'c1 ',
    '%63',
    'a'.repeat(64),
  ]) {
    assert.throws(() => agentIdentity(trustDomain('relay.example'), name), isMalformed, JSON.stringify(name));
  }
});

test('only the exact form is an agent identity', () => {
  const near = [
    'spiffe://relay.example',
    'spiffe://relay.example/cluster/c1',
    'spiffe://relay.example/cluster/c1/agent/x',
    'spiffe://relay.example/cluster/c1/agents',
    'spiffe://relay.example/cluster/C1/agent',
    'spiffe://relay.example/Cluster/c1/agent',
    'spiffe://relay.example/clusters/c1/agent',
    'spiffe://relay.example/x/cluster/c1/agent',
    'spiffe://relay.example/ns/c1/sa/agent',
  ];
  for (const id of near) assert.is(readAgentIdentity(spiffeId(id)), undefined, id);
});

test.run();
