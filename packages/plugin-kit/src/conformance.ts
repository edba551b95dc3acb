/** All properties that a mesh plugin must have, as checks. */
import type { MeshPlugin, ViewField } from '@meshrelay/plugin';
import { capabilityChecks } from './capability/capability-checks.ts';
import type { Check } from './check.ts';
import { expandFleet } from './fleet/expand-fleet.ts';
import type { FleetSpec } from './fleet/fleet-spec.ts';
import { allPolicyRulesFleet } from './properties/all-policy-rules-fleet.ts';
import { allViewFieldsFleet } from './properties/all-view-fields-fleet.ts';
import { leavesNothing, unmovedByStrangers, writesWhatItDeclares } from './properties/bounded.ts';
import { readsAnyClaim } from './properties/claims.ts';
import { usesEveryField } from './properties/every-field-used.ts';
import { findsFixture } from './properties/fixture-found.ts';
import { linear } from './properties/linear.ts';
import { legalNames } from './properties/names.ts';
import { reportsEveryDrop } from './properties/no-silent-drops.ts';
import { namesOwnPolicies } from './properties/own-policies.ts';
import { pairChecks } from './properties/pairs/pairs.ts';
import { writesPlainJson } from './properties/plain.ts';
import { survivesPoison } from './properties/poison.ts';
import type { Property, TestFleet } from './properties/property.ts';
import { deterministic, incremental, mutatesNothing, orderFree } from './properties/repeatable.ts';
import { type BadSettings, refusesBadSettings } from './properties/settings.ts';
import type { TestedPlugin } from './tested-plugin.ts';

/** Input of a plugin's conformance checks. */
export interface ConformanceOptions extends Omit<TestedPlugin, 'plugin'> {
  /** Fleets to check the properties in, in addition to the kit's own; preferably those of golden cases. */
  readonly fleets?: readonly FleetSpec[];
  /** Fields that the kit's own fleet requests, since a quick run may use fewer; omitted: all fields. */
  readonly fields?: readonly ViewField[];
  /** Settings that the plugin must reject; at least one if it has settings. */
  readonly badSettings?: readonly BadSettings[];
}

/** The properties by their description. */
const PROPERTIES: Readonly<Record<string, Property>> = {
  'the same fleet gives the same result, without clock and randomness': deterministic,
  'the order of the inputs does not matter': orderFree,
  'its inputs are not changed': mutatesNothing,
  'step by step gives the same result as all at once': incremental,
  'only declared kinds are written, each object once': writesWhatItDeclares,
  'outputs are plain JSON': writesPlainJson,
  'outputs and reports are for policies of the view': namesOwnPolicies,
  'without policies nothing is left': leavesNothing,
  'an unrelated cluster changes nothing': unmovedByStrangers,
  'every dropped field is reported': reportsEveryDrop,
  'names of outputs are valid for all input names': legalNames,
  'discovery survives poisoned objects': survivesPoison,
  'claims are read from any object': readsAnyClaim,
};

/**
 * All checks of a plugin: the properties, each rule combined with every other, and each field of its capability table.
 */
export function pluginConformance(plugin: MeshPlugin, options: ConformanceOptions): readonly Check[] {
  const { fleets = [], fields, badSettings = [], ...rest } = options;
  const tested: TestedPlugin = { plugin, ...rest };
  let expanded: readonly TestFleet[] | undefined;
  const all = (): readonly TestFleet[] => {
    expanded ??= [
      allViewFieldsFleet(tested, fields),
      ...fleets.map((spec) => ({
        name: spec.about,
        fleet: expandFleet(spec, { type: plugin.name, fixture: tested.fixture }),
      })),
    ];
    return expanded;
  };
  return [
    { name: "property: the fixture's mesh is found", run: () => findsFixture(tested) },
    ...Object.entries(PROPERTIES).map(
      ([words, property]): Check => ({ name: `property: ${words}`, run: () => property(tested, all()) }),
    ),
    {
      name: 'property: every value of a view makes a difference',
      run: () => usesEveryField(tested, [allViewFieldsFleet(tested, fields), allPolicyRulesFleet(tested)]),
    },
    { name: 'property: bad settings are refused', run: () => refusesBadSettings(tested, badSettings) },
    { name: 'property: ten thousand destinations take linear time', slow: true, run: () => linear(tested) },
    ...pairChecks(tested),
    ...capabilityChecks(tested),
  ];
}
