/** Participants of a storm, and small changes by users during it. */
import { MANAGEMENT } from '../../fleet/fleet.ts';
import { between, oneOf, type Random } from '../../runtime/random.ts';
import type { Operation } from '../operation.ts';
import { SERVICES } from '../random-operation.ts';
import type { Cast } from './storm.ts';

/** The programs of an API server: replicas of a cluster's agent, or of the management server. */
export function replicas({ places }: Cast, api: string): string[] {
  return [...places.values()].filter((place) => place.api === api).map(({ name }) => name);
}

export function servers(cast: Cast): string[] {
  return replicas(cast, MANAGEMENT);
}

/** One of a cluster's agents, and the others. */
export function splitAgents(random: Random, cast: Cast, cluster: string): readonly [one: string, others: string[]] {
  const agents = replicas(cast, cluster);
  const one = oneOf(random, agents);
  return [one, agents.filter((other) => other !== one)];
}

/** A change of the desired state, in one given cluster or in any. */
export function change(random: Random, { clusters }: Cast, at: number, cluster?: string): Operation {
  const name = oneOf(random, SERVICES);
  const where = cluster ?? oneOf(random, clusters);
  const kinds: ReadonlyArray<() => Operation> = [
    () => ({ at, do: 'put-service', cluster: where, name, port: between(random, 80, 90) }),
    () => ({ at, do: 'put-service', cluster: where, name: 'a', port: between(random, 80, 90) }),
    () => ({ at, do: 'put-policy', name: oneOf(random, ['p', 'q']), service: 'a', seconds: between(random, 1, 9) }),
    () => ({ at, do: 'put-policy', name: oneOf(random, ['p', 'q']), service: name, seconds: between(random, 1, 9) }),
    () => ({ at, do: 'delete-service', cluster: where, name }),
    () => ({ at, do: 'delete-policy', name: oneOf(random, ['p', 'q']) }),
  ];
  return oneOf(random, kinds)();
}

/** The given number of changes within a span of time. */
export function changes(
  random: Random,
  cast: Cast,
  { from, span, count, cluster }: { from: number; span: number; count: number; cluster?: string },
): Operation[] {
  return Array.from({ length: count }, () => change(random, cast, from + between(random, 0, span), cluster));
}

/** A user changes a generated object. */
export function drift(random: Random, cluster: string, at: number): Operation {
  return { at, do: 'drift', cluster, pick: random(), how: oneOf(random, ['delete', 'edit']) };
}

/** Cuts the network between two groups of programs for some time. */
export function apart(from: readonly string[], to: readonly string[], at: number, lasts: number): Operation[] {
  return from.flatMap((one) =>
    to.map((other): Operation => ({ at, do: 'partition', from: one, to: other, both: true, lasts })),
  );
}

/** One of a cluster's agents leads from the beginning: the others start later. */
export function crown(others: readonly string[], down: number): Operation[] {
  return others.map((place): Operation => ({ at: 0, do: 'crash', place, down }));
}

/**
 * Users change a timeout of the service that every cluster has, so the management server sends the change to every
 * leader.
 */
export function retime(random: Random, at: number): Operation {
  return { at, do: 'put-policy', name: oneOf(random, ['p', 'q']), service: 'a', seconds: between(random, 1, 60) };
}
