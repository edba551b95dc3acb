/** What Envoys refuse of our objects, as their agents note it on the objects: a mesh's "no" belongs on the policies behind them. */
import type { Report, XdsConfigStatus, XdsRefusal } from '@meshrelay/api';
import { definitionOf } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import { collectVerdicts, type Verdict } from '../resolve/verdict.ts';
import type { PresentObject } from '../store/world.ts';
import type { KeptObject } from './kept-object.ts';

const { apiVersion: API_VERSION, kind: KIND } = kindOf();

/** Reports of one object at most. */
const TOLD = 3;

interface Refused {
  readonly by: KeptObject;
  readonly reports: readonly Report[];
}

/**
 * @param present what clusters have, under the keys of `desired`
 * @param targetOf what the view was about that an object comes from
 */
export function refusedByProxies(
  graph: Graph,
  { present, desired }: { readonly present: Collection<PresentObject>; readonly desired: Collection<KeptObject> },
  targetOf: (object: KeptObject) => Verdict['target'] | undefined,
): Collection<Verdict> {
  const refused = graph.derive('output/refused-by-proxies', present, (found, read, at): Refused | undefined => {
    const { apiVersion, kind, metadata, status } = found.object.value;
    if (kind !== KIND || apiVersion !== API_VERSION || status === undefined) return undefined;
    const told = Object.values((status as XdsConfigStatus).refused ?? {}).flatMap(({ resources }) => resources);
    const by = told.length === 0 ? undefined : read.get(desired, at);
    if (by === undefined) return undefined;
    // Several replicas say the same where Envoys of one account are connected to them.
    const reports = new Map(told.map((one) => reportOf(one, found.cluster, metadata)).map((one) => [one.message, one]));
    return { by, reports: [...reports.values()].sort(byMessage).slice(0, TOLD) };
  });
  return collectVerdicts(graph, 'output/refusal-verdicts', refused, ({ by, reports }) => {
    const target = targetOf(by);
    return target === undefined
      ? []
      : by.because.map((policy): Verdict => ({ policy, target, state: 'FAILED', reports }));
  });
}

function reportOf(
  { type, name, message, by }: XdsRefusal,
  cluster: string,
  { namespace = '', name: object }: { readonly namespace?: string | undefined; readonly name: string },
): Report {
  const who = by === undefined ? 'the agent sends Envoys no' : `Envoys of ServiceAccount ${by} refuse the`;
  return {
    code: 'REFUSED_BY_PROXY',
    severity: 'error',
    message: `${who} ${type} ${name} in cluster ${cluster}, and what was there before stays: ${message}`,
    related: [{ kind: KIND, namespace, name: object, cluster }],
  };
}

function byMessage(a: Report, b: Report): number {
  return a.message < b.message ? -1 : 1;
}

function kindOf(): { readonly apiVersion: string; readonly kind: string } {
  const { group, version, kind } = definitionOf('XdsConfig');
  return { apiVersion: `${group}/${version}`, kind };
}
