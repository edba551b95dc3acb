/**
 * Istio's own analyzers find nothing wrong with generated objects; Istio's test data proves that the reimplemented
 * analyzers find the same messages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expandFleet, GoldenFolder, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, loadPlugins } from '@meshrelay/relay-core';
import { assert, scaledSample, sharedPath, test } from '@meshrelay/testing';
import { parse, parseAllDocuments } from 'yaml';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';
import { authorizationPolicies } from './analysis/authorization-policies.ts';
import { destinationHosts, destinationSubsets } from './analysis/destinations.ts';
import { gatewayPorts } from './analysis/gateway-ports.ts';
import { conflictingGateways, destinationRules } from './analysis/gateways-and-rules.ts';
import type { Analysed, Analyzer, Message } from './analysis/objects.ts';
import { meshGatewayHosts, routedGateways, unreachableRoutes } from './analysis/routes.ts';
import { conflictingProtocols, requiredAddresses } from './analysis/service-entries.ts';

/** By Istio's names. */
const ANALYZERS: Readonly<Record<string, Analyzer>> = {
  'authz.AuthorizationPoliciesAnalyzer': authorizationPolicies,
  'gateway.IngressGatewayPortAnalyzer': gatewayPorts,
  'gateway.ConflictingGatewayAnalyzer': conflictingGateways,
  'virtualservice.ConflictingMeshGatewayHostsAnalyzer': meshGatewayHosts,
  'virtualservice.DestinationHostAnalyzer': destinationHosts,
  'virtualservice.DestinationRuleAnalyzer': destinationSubsets,
  'virtualservice.GatewayAnalyzer': routedGateways,
  'serviceentry.ProtocolAddressesAnalyzer': requiredAddresses,
  'serviceentry.ConflictingServiceEntryProtocolAnalyzer': conflictingProtocols,
  'destinationrule.PodNotSelectedAnalyzer': destinationRules,
  'schemaValidation.CollectionValidationAnalyzer': unreachableRoutes,
};

/** Analyzers that only report objects of kinds that Meshrelay does not write, with these kinds. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'injection.Analyzer': ['Namespace', 'Pod'],
  'service.PortNameAnalyzer': ['Service'],
};

const oracle = sharedPath('oracles', 'istio', 'analysis');
if (oracle !== undefined) {
  const { cases } = parse(readFileSync(join(oracle, 'expected.yaml'), 'utf8')) as {
    cases: ReadonlyArray<{ name: string; inputs: string[]; analyzer: string; expect: Message[] }>;
  };
  for (const { name, inputs, analyzer, expect } of cases) {
    const analyze = ANALYZERS[analyzer];
    if (analyze === undefined) {
      test(`${name}: reports no generated object`, () => {
        const written = new Set<string>(istio.writes.map(({ kind }) => kind));
        assert.ok(
          OF_OTHERS[analyzer]?.every((kind) => !written.has(kind)),
          `${analyzer} looks at what we write`,
        );
        assert.ok(expect.every(({ object }) => OF_OTHERS[analyzer]?.includes(object.split(' ')[0] ?? '')));
      });
      continue;
    }
    test(`control ${name}: reports the same objects as Istio`, () => {
      const objects = inputs.flatMap((file) =>
        parseAllDocuments(readFileSync(join(oracle, file), 'utf8')).flatMap(
          (one) => (one.toJS() as Analysed | null) ?? [],
        ),
      );
      assert.equal(distinct(analyze(objects)), distinct(expect));
    });
  }
}

const folder = new GoldenFolder(new URL('./golden', import.meta.url));
const plugins = loadPlugins([{ module: 'istio', plugin: istio }]);

/** If users' objects conflict with generated ones, the policies get a report and generated objects are not applied. */
const undisturbed = folder.cases().filter((name) => !name.startsWith('conflict-'));

/** What the analyzers find in a golden case. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  // Istio's analyzers know Services under svc.cluster.local only; istiod itself takes the domain of the cluster.
  'cluster-domain': [
    'ReferencedResourceNotFound VirtualService bookinfo/meshrelay-reviews',
    'UnknownDestinationRuleHost DestinationRule bookinfo/meshrelay-reviews',
  ],
  // Routes to Services that some callers cannot see: the policy gets a report about them.
  'hidden-services': [
    'ReferencedResourceNotFound VirtualService shop/meshrelay-carts',
    'ReferencedResourceNotFound VirtualService shop/meshrelay-carts.export',
    'ReferencedResourceNotFound VirtualService shop/meshrelay-front',
    'ReferencedResourceNotFound VirtualService shop/meshrelay-front.export',
  ],
};

for (const name of scaledSample(undisturbed)) {
  test(`golden ${name}: analyzers find only what is expected`, () => {
    const inputs = expandFleet(folder.input(name), { type: 'istio', fixture });
    const { desired } = buildFleet({ ...inputs, plugins, hash: sha256 });
    const complained: Message[] = [];
    for (const cluster of inputs.clusters) {
      const managed = [...desired.entries()]
        .map(([, one]) => one)
        .filter((one) => one.cluster === cluster.name)
        .map(({ object }) => object as Analysed);
      const objects = [...(cluster.objects as unknown as Analysed[]), ...managed];
      const about = new Set(managed.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`));
      const complaints = Object.values(ANALYZERS).flatMap((analyze) => analyze(objects));
      complained.push(...complaints.filter(({ object }) => about.has(object)));
    }
    assert.equal(distinct(complained), EXPECTED[name] ?? []);
  });
}

/** Each object once per message: analyzers differ in how often they repeat a message. */
function distinct(messages: readonly Message[]): string[] {
  return [...new Set(messages.map(({ message, object }) => `${message} ${object}`))].sort();
}

test.run();
