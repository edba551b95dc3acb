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
const LEFT_OUT = 'OSM does not carry it: core leaves all of it out before the plugin sees it';

registerChecks(
  goldenCoverageChecks({
    folder,
    kinds: ['TrafficPolicy', 'AccessPolicy'],
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
      'TrafficPolicy spec.policy.outlierDetection': LEFT_OUT,
      'TrafficPolicy spec.policy.connectionPool.tcp.tcpKeepalive': LEFT_OUT,
      'TrafficPolicy spec.policy.mtls': LEFT_OUT,
      'TrafficPolicy spec.policy.csrf': LEFT_OUT,
      'AccessPolicy spec.not': LEFT_OUT,
    },
  }),
  test,
);

test.run();
