/** All properties that a mesh plugin must have, as checks. */
import type { MeshPlugin, ViewField } from '@meshrelay/plugin';
import { capabilityChecks, type ExpectedFacts } from './capability/capability-checks.ts';
import type { Check } from './check.ts';
import { expandFleet } from './fleet/expand-fleet.ts';
import type { FleetSpec } from './fleet/fleet-spec.ts';
import { allPolicyRulesFleet } from './properties/all-policy-rules-fleet.ts';
import { allValuesFleet } from './properties/all-values-fleet.ts';
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
import { excusedBy, refuseIdleExcuses } from './properties/values/excused.ts';
import { writesMeaningsApart } from './properties/values/meanings-differ.ts';
import { writesEveryValue } from './properties/values/values-arrive.ts';
import { keepsValuesTogether } from './properties/values/values-together.ts';
import type { TestedPlugin } from './tested-plugin.ts';

/** Input of a plugin's conformance checks. */
export interface ConformanceOptions extends Omit<TestedPlugin, 'plugin'> {
  /** Fleets to check the properties in, in addition to the kit's own; preferably those of golden cases. */
  readonly fleets?: readonly FleetSpec[];
  /** Fields that the kit's own fleet requests, since a quick run may use fewer; omitted: all fields. */
  readonly fields?: readonly ViewField[];
  /** Settings that the plugin must reject; at least one if it has settings. */
  readonly badSettings?: readonly BadSettings[];
  /**
   * What objects of the mesh must say for the kit's probe of a field, such as `{ 'route.timeout':
   * ['VirtualService.spec.http.timeout = 3s'] }`: the words of the mesh, which only its author knows. Write them from
   * the documentation of the mesh, not from the output of the plugin.
   */
  readonly expected?: ExpectedFacts;
  /**
   * Reasons for values that the mesh expresses in another way than they are, by the beginning of what a failed check
   * names, such as `translateEndpoints endpoints.*.locality`.
   */
  readonly excused?: Readonly<Record<string, string>>;
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
 * If the plugin does not find the fixture's mesh, only the check that says so: all others need a mesh.
 */
export function pluginConformance(plugin: MeshPlugin, options: ConformanceOptions): readonly Check[] {
  const { fleets = [], fields, badSettings = [], excused: reasons, expected, ...rest } = options;
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
  let stating: readonly TestFleet[] | undefined;
  const valueFleets = (): readonly TestFleet[] => {
    stating ??= [allPolicyRulesFleet(tested), allValuesFleet(tested)];
    return stating;
  };
  const fixtureFound = { name: "property: the fixture's mesh is found", run: () => findsFixture(tested) };
  if (!passes(fixtureFound)) return [fixtureFound];
  return [
    fixtureFound,
    ...Object.entries(PROPERTIES).map(
      ([words, property]): Check => ({ name: `property: ${words}`, run: () => property(tested, all()) }),
    ),
    {
      name: 'property: every value of a view makes a difference',
      run: () => usesEveryField(tested, [allViewFieldsFleet(tested, fields), allPolicyRulesFleet(tested)]),
    },
    {
      name: 'property: every value is in the output as it is',
      run: () => {
        const excused = excusedBy(reasons);
        writesEveryValue(tested, valueFleets(), excused);
        refuseIdleExcuses(excused);
      },
    },
    {
      name: 'property: values that belong together stay together',
      run: () => keepsValuesTogether(tested, valueFleets()),
    },
    {
      name: 'property: different meanings have different outputs',
      run: () => writesMeaningsApart(tested, valueFleets()),
    },
    { name: 'property: bad settings are refused', run: () => refusesBadSettings(tested, badSettings) },
    { name: 'property: ten thousand destinations take linear time', slow: true, run: () => linear(tested) },
    ...pairChecks(tested),
    ...capabilityChecks(tested, expected),
  ];
}

function passes({ run }: { readonly run: () => void }): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
