/** `meshctl create trafficpolicy`: which requests, and what happens to them. */
import type { TrafficPolicySpec, WorkloadSelector } from '@meshrelay/api';
import { findNamed } from '../describe/find.ts';
import type { KnownFleet } from '../describe/known-fleet.ts';
import { namedWorkload } from '../describe/named-objects.ts';
import { InputError } from '../problem.ts';
import { givenOr, optional } from './asker.ts';
import type { Authoring } from './authoring.ts';
import { ALL, destinationsQuestion, serviceSelector, workloadChoices, workloadText } from './choices.ts';
import type { TrafficPolicyAnswers } from './options.ts';
import { askRules, EFFECTS, hasEffect, trafficRules } from './traffic-rules.ts';
import * as check from './values.ts';

export const trafficPolicy: Authoring<TrafficPolicyAnswers> = {
  kind: 'TrafficPolicy',
  values: {
    pathPrefix: check.pathPrefix,
    timeout: check.timeout,
    retries: check.retries,
    perTryTimeout: check.perTryTimeout,
    shift: check.shift,
    delay: check.delay,
    abort: check.abort,
    faultPercent: check.faultPercent,
    addRequestHeader: check.header,
    removeRequestHeader: check.headerName,
    addResponseHeader: check.header,
    removeResponseHeader: check.headerName,
  },

  missing(answers) {
    return [
      ...(answers.destination.length === 0 ? ['--destination SERVICE'] : []),
      ...(hasEffect(answers) ? [] : [`one of ${EFFECTS.map(({ flag }) => flag).join(', ')}`]),
    ];
  },

  problem({ retries, perTryTimeout, delay, abort, faultPercent }) {
    if (perTryTimeout !== undefined && retries === undefined) return '--per-try-timeout needs --retries N';
    if (delay !== undefined && abort !== undefined) return 'a policy has one fault; give --delay or --abort';
    if (faultPercent !== undefined && delay === undefined && abort === undefined)
      return '--fault-percent needs --delay DURATION or --abort STATUS';
    return undefined;
  },

  async ask(answers, fleet, asker) {
    const destination = await givenOr(answers.destination, () =>
      asker.several(destinationsQuestion('Requests to which Services?', fleet)),
    );
    const source = await givenOr(answers.source, () =>
      asker.several({
        message: 'Only requests of these workloads (none picked: of all)',
        choices: workloadChoices(fleet),
        required: false,
      }),
    );
    const pathPrefix =
      answers.pathPrefix ??
      (await asker.text({
        message: 'Only requests whose path begins with (empty: all requests)',
        parse: optional(check.pathPrefix),
      }));
    const chosen = { ...answers, destination, source, ...(pathPrefix === undefined ? {} : { pathPrefix }) };
    return { ...chosen, ...(await askRules(chosen, fleet, asker)) };
  },

  spec(answers, { fleet }): TrafficPolicySpec {
    const { destination, source, pathPrefix } = answers;
    const destinationSelector = serviceSelector(fleet, destination);
    const sourceSelector = source.includes(ALL) ? [] : source.map((name) => workloadSelector(fleet, name));
    return {
      ...(sourceSelector.length === 0 ? {} : { sourceSelector }),
      ...(destinationSelector === undefined ? {} : { destinationSelector }),
      ...(pathPrefix === undefined ? {} : { httpRequestMatchers: [{ uri: { prefix: pathPrefix } }] }),
      policy: trafficRules(answers, fleet),
    };
  },
};

/** Kubernetes' recommended labels. */
const APPLICATION = 'app.kubernetes.io/';

/** By the labels of its author, if there are any: meshes and other tools add labels with prefixes of their own. */
function workloadSelector({ workloads }: KnownFleet, name: string): WorkloadSelector {
  const workload = findNamed('workload', name, workloads.map(namedWorkload));
  const { controller, podLabels = {} } = workload.spec.kubernetes;
  const own = Object.entries(podLabels).filter(([label]) => !label.includes('/') || label.startsWith(APPLICATION));
  const labels = own.length > 0 ? Object.fromEntries(own) : podLabels;
  if (Object.keys(labels).length === 0)
    throw new InputError(
      `--source ${name}: the pods of ${workloadText(workload)} have no labels, by which policies select them; label them, or choose another workload`,
    );
  return {
    kubeWorkloadMatcher: { labels, namespaces: [controller.namespace], clusters: [controller.clusterName] },
  };
}
