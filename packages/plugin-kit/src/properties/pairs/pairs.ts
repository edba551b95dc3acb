/**
 * Pairs of rules: of two rules for one Service's traffic, neither removes the other's effect without a report to its
 * policy.
 */
import type { ViewField } from '@meshrelay/plugin';
import { isSupportedBy } from '../../capability/claim.ts';
import type { Check } from '../../check.ts';
import type { PolicySpec } from '../../fleet/policy-object.ts';
import type { TestedPlugin } from '../../tested-plugin.ts';
import { type Effect, PairBench } from './effect.ts';
import { RULES, type Rule, trafficPolicy } from './rules.ts';

/**
 * One check for each rule that the plugin's table declares supported: the rule combined with every other, and with
 * itself.
 */
export function pairChecks(tested: TestedPlugin): readonly Check[] {
  const rules = RULES.filter(({ field }) => isSupported(tested, field));
  let pairs: Pairs | undefined;
  const shared = (): Pairs => {
    pairs ??= new Pairs(tested, rules);
    return pairs;
  };
  return rules.map((rule, index) => ({
    name: `property: pairs of rules: ${rule.field}`,
    run: () => {
      shared().alone(rule);
      for (const other of rules.slice(index + 1)) shared().together(rule, other);
      shared().againstItself(rule);
    },
  }));
}

function isSupported({ plugin }: TestedPlugin, field: ViewField): boolean {
  return isSupportedBy(plugin.capabilities, field);
}

class Pairs {
  readonly #bench: PairBench;
  readonly #rules: readonly Rule[];
  readonly #none: Effect;
  readonly #alone: ReadonlyMap<Rule, Effect>;

  constructor(tested: TestedPlugin, rules: readonly Rule[]) {
    this.#bench = new PairBench(tested);
    this.#rules = rules;
    this.#none = this.#bench.effectOf([]);
    this.#alone = new Map(rules.map((rule) => [rule, this.#bench.effectOf([policyOf(rule)])]));
  }

  /** Checks that the rule has an effect. */
  alone(rule: Rule): void {
    if (this.#of(rule).text === this.#none.text)
      throw new Error(`${rule.field} alone changes nothing that is written; it is not "native" then`);
  }

  /** Checks that both have their effects, in either order of acceptance, and in one policy. */
  together(one: Rule, other: Rule): void {
    const [first, second] = [policyOf(one), policyOf(other)];
    const inTurn = this.#bench.effectOf([first, second]);
    const reversed = this.#bench.effectOf([second, first]);
    this.#assertApplied(one, other, inTurn, nameOf(one));
    this.#assertApplied(other, one, inTurn, nameOf(other));
    const difference = firstMissing(inTurn.facts, reversed.facts) ?? firstMissing(reversed.facts, inTurn.facts);
    if (difference !== undefined)
      throw new Error(
        `${one.field} with ${other.field}: the order of acceptance decides about ${difference}, although the two do not conflict`,
      );
    if (one.part === undefined || other.part === undefined) return;
    const merged = this.#bench.effectOf([trafficPolicy('both', { ...one.part, ...other.part })]);
    this.#assertApplied(one, other, merged, 'both');
    this.#assertApplied(other, one, merged, 'both');
  }

  /**
   * Checks that of two values, that of the policy accepted first is effective, and the other policy has a report of the
   * conflict.
   */
  againstItself(rule: Rule): void {
    if (rule.contradicted === undefined) return;
    // Names in the opposite order, too: they must not determine the winner.
    for (const names of [
      ['a-first', 'z-last'],
      ['z-first', 'a-last'],
    ] as const) {
      const [first, last] = names;
      const [winner, loser] = [rule.stated(first), rule.contradicted(last)];
      const alone = this.#bench.effectOf([winner]);
      const both = this.#bench.effectOf([winner, loser]);
      const more = rule.endpointsRemain === true ? undefined : firstMissing(both.facts, alone.facts);
      const difference = firstMissing(alone.facts, both.facts) ?? more;
      if (difference !== undefined)
        throw new Error(
          `${rule.field}: a later policy changes ${difference}, although the policy that was accepted first wins`,
        );
      if (both.reported.get(last)?.some(({ code }) => code === 'CONFLICT') !== true)
        throw new Error(`${rule.field}: a policy that conflicts with an earlier one does not report CONFLICT`);
      if (both.reported.get(first)?.some(({ code }) => code === 'CONFLICT') === true)
        throw new Error(`${rule.field}: the policy that was accepted first reports CONFLICT with a later one`);
    }
  }

  /**
   * Checks that the output contains everything that only `rule` writes, and differs because of it. Otherwise `policy`
   * must have a report that it does not have without `other`.
   */
  #assertApplied(rule: Rule, other: Rule, both: Effect, policy: string): void {
    const known = new Set(
      this.#of(rule)
        .reported.get(nameOf(rule))
        ?.map(({ code }) => code),
    );
    if (both.reported.get(policy)?.some(({ code }) => !known.has(code)) === true) return;
    // The combined policy has another name than the rule's own, which may be part of the output.
    const own = [...this.#own(rule)].filter((fact) => policy !== 'both' || !fact.includes(nameOf(rule)));
    const lost = both.text === this.#of(other).text ? 'all it does' : firstMissing(own, both.facts);
    if (lost === undefined) return;
    const how = policy === 'both' ? 'in one policy with' : 'with';
    throw new Error(
      `${rule.field} ${how} ${other.field} loses ${lost} without a report; write both, or report the one that is not done`,
    );
  }

  #own(rule: Rule): ReadonlySet<string> {
    const others = this.#rules.filter((one) => one !== rule).map((one) => this.#of(one).facts);
    return new Set(
      [...this.#of(rule).facts].filter(
        (fact) => !this.#none.facts.has(fact) && !others.some((facts) => facts.has(fact)),
      ),
    );
  }

  #of(rule: Rule): Effect {
    return this.#alone.get(rule) ?? this.#none;
  }
}

function policyOf(rule: Rule): PolicySpec {
  return rule.stated(nameOf(rule));
}

/** A rule's policy has the same name everywhere: names may be part of the output. */
function nameOf({ field }: Rule): string {
  return field.toLowerCase();
}

function firstMissing(expected: Iterable<string>, facts: ReadonlySet<string>): string | undefined {
  for (const fact of expected) if (!facts.has(fact)) return fact;
  return undefined;
}
