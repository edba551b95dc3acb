/** Every golden case: its outputs and reports are as recorded, whatever the order of its inputs, and OSM's CRDs take them. */
import { crdValidator, goldenChecks, goldenCoverageChecks, registerChecks } from '@meshrelay/plugin-kit';
import { meshCrdFiles, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import osm from '../src/mod.ts';

const crds = meshCrdFiles('osm');
const problemsOf = crds === undefined ? undefined : crdValidator(crds);

const folder = new URL('./golden', import.meta.url);
registerChecks(goldenChecks(osm, { folder, fixture, problemsOf }), test);

const BY_CORE = "core selects, and the plugin sees what is selected: Istio's golden cases show how";
const OF_ISTIO = 'it is about the gateways of Istio';
const LEFT_OUT = 'OSM does not carry it: core leaves all of it out before the plugin sees it';

registerChecks(
  goldenCoverageChecks({
    folder,
    kinds: [
      ...['TrafficPolicy', 'AccessPolicy', 'VirtualMesh', 'VirtualDestination'],
      ...['AccessLogRecord', 'WasmDeployment', 'Settings'],
    ],
    excused: {
      'TrafficPolicy spec.sourceSelector': BY_CORE,
      'TrafficPolicy spec.destinationSelector': BY_CORE,
      'AccessPolicy spec.sourceSelector[].kubeIdentityMatcher': BY_CORE,
      'AccessPolicy spec.destinationSelector': BY_CORE,
      'TrafficPolicy spec.httpRequestMatchers': LEFT_OUT,
      'TrafficPolicy spec.policy.trafficShift.destinations[].virtualDestination': LEFT_OUT,
      'TrafficPolicy spec.policy.trafficShift.destinations[].options': LEFT_OUT,
      'TrafficPolicy spec.policy.corsPolicy': LEFT_OUT,
      'TrafficPolicy spec.policy.mirror': LEFT_OUT,
      'TrafficPolicy spec.policy.mtls': LEFT_OUT,
      'TrafficPolicy spec.policy.csrf': LEFT_OUT,
      'AccessPolicy spec.not': LEFT_OUT,
      'VirtualMesh spec.mtlsConfig.shared.': LEFT_OUT,
      'VirtualMesh spec.mtlsConfig.autoRestartPods': LEFT_OUT,
      'VirtualMesh spec.federation.selectors': LEFT_OUT,
      'VirtualMesh spec.federation.eastWestIngressGatewaySelectors': LEFT_OUT,
      'VirtualDestination spec.port.': LEFT_OUT,
      'VirtualDestination spec.meshList.': LEFT_OUT,
      'VirtualDestination spec.localized.': LEFT_OUT,
      'AccessLogRecord spec.': LEFT_OUT,
      'WasmDeployment spec.': LEFT_OUT,
      'Settings spec.mtls': 'the mode is one of Istio: proxies of OSM know mutual TLS alone',
      'Settings spec.discovery': OF_ISTIO,
      'Settings spec.paused': 'a server that is paused sends nothing: its own tests show it',
    },
  }),
  test,
);

test.run();
