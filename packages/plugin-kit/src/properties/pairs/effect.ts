/** The combined effect of rules: outputs as searchable facts, and the reports of their policies. */
import type { KubeObject, Report } from '@meshrelay/api';
import { canonicalJson, MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import { probeFleet, probePolicies } from '../../capability/probe-fleet.ts';
import { LiveFleet } from '../../fleet/live-fleet.ts';
import { type PolicySpec, policyObject } from '../../fleet/policy-object.ts';
import type { FaultOutcome } from '../../fleet/reported.ts';
import { factsOf, metadataFacts } from '../../output-facts.ts';
import { loaded, type TestedPlugin } from '../../tested-plugin.ts';
import { BACKGROUND } from './rules.ts';

/** The effect of some policies. */
export interface Effect {
  /** All outputs, without metadata. */
  readonly text: string;
  /** Its facts, such as `VirtualService.spec.http.timeout = 7s`, without positions in lists. */
  readonly facts: ReadonlySet<string>;
  /** By the names of policies: the reports of each, except those with severity info. */
  readonly reported: ReadonlyMap<string, readonly Report[]>;
}

/** A bookshop in which rules are tried, one set of policies after the other. */
export class PairBench {
  readonly #live: LiveFleet;

  constructor(tested: TestedPlugin) {
    const fleet = probeFleet(tested);
    this.#live = new LiveFleet(loaded(tested));
    this.#live.reportFleet(fleet);
    for (const policy of probePolicies(BACKGROUND, fleet, tested)) this.#report(policy, 'there');
  }

  /** @param policies in the order in which they are accepted */
  effectOf(policies: readonly PolicySpec[]): Effect {
    const objects = policies.map(policyObject);
    for (const object of objects) this.#report(object, 'there');
    const effect = this.#effect();
    for (const object of objects) this.#report(object, 'gone');
    return effect;
  }

  #report(object: KubeObject, outcome: FaultOutcome): void {
    this.#live.report(MANAGEMENT_CLUSTER, object, outcome);
    this.#live.settle();
  }

  #effect(): Effect {
    const { desired, statuses } = this.#live.plane;
    const objects = [...desired.entries()].map(([, { object }]) => object as unknown as KubeObject);
    return {
      text: objects.map(textOf).sort().join('\n'),
      facts: new Set(objects.flatMap((object) => [nameOf(object), ...factsOf(object), ...metadataFacts(object)])),
      reported: new Map(
        [...statuses.entries()].map(([, { ref, status }]) => [
          ref.name,
          [...status.reports, ...status.targets.flatMap(({ reports }) => reports)].filter(
            ({ severity }) => severity !== 'info',
          ),
        ]),
      ),
    };
  }
}

function nameOf({ kind, metadata: { name, namespace = '' } }: KubeObject): string {
  return `${kind} ${namespace}/${name}`;
}

function textOf(object: KubeObject): string {
  const { metadata: _metadata, ...body } = object;
  return `${nameOf(object)} ${canonicalJson([body, ...metadataFacts(object)])}`;
}
