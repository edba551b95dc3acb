/** Random histories of fleets. */
import fc from 'fast-check';
import { administration, choices } from './administration.ts';
import { CLUSTER_NAMES, type Event, MAIN_CLUSTERS, someCluster } from './fleet.ts';
import { federation, policyEvent } from './policies.ts';
import { clusterEventOf, idleEvent, serviceEvent, serviceEventOf } from './services.ts';
import { userObjectEvent } from './user-objects.ts';

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: serviceEvent },
  { weight: 6, arbitrary: policyEvent },
  { weight: 1, arbitrary: clusterEventOf(someCluster) },
  { weight: 2, arbitrary: userObjectEvent },
  { weight: 2, arbitrary: administration },
  { weight: 1, arbitrary: idleEvent },
);

const come = (happened: Event): Event => happened.map((change) => ({ ...change, gone: false }));

/**
 * A fleet of up to 6 clusters and about 200 objects starts at once; then up to 20 events follow, one after the other.
 */
export const histories: fc.Arbitrary<readonly Event[]> = fc
  .record({
    clusters: fc.tuple(...CLUSTER_NAMES.map((name) => clusterEventOf(fc.constant(name)))),
    main: fc.tuple(
      ...MAIN_CLUSTERS.flatMap((name) =>
        ['cart.shop', 'pay.shop', 'gw.shop'].map((service) => serviceEventOf(fc.constant(name), fc.constant(service))),
      ),
    ),
    size: fc.integer({ min: MAIN_CLUSTERS.length, max: CLUSTER_NAMES.length }),
    services: fc.array(serviceEvent, { maxLength: 24, size: 'max' }),
    policies: fc.array(policyEvent, { maxLength: 12, size: 'max' }),
    federated: fc.boolean(),
    users: fc.array(userObjectEvent, { maxLength: 4 }),
    choices: fc.array(choices, { maxLength: 3 }),
    events: fc.array(event, { minLength: 1, maxLength: 20, size: 'max' }),
  })
  .map(({ clusters, size, main, services, federated, policies, users, choices: chosen, events }) => [
    plain(
      come(
        [
          ...clusters.slice(0, size),
          ...main,
          ...services,
          ...users,
          ...chosen,
          ...(federated ? [federation] : []),
          ...policies,
        ].flat(),
      ),
    ),
    ...events.map(plain),
  ]);

/** As received over a wire: without the prototypes and undefined members of generated values. */
function plain(happened: Event): Event {
  return JSON.parse(JSON.stringify(happened)) as Event;
}
