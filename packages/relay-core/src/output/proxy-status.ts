/**
 * What Envoys report about generated objects, as their agents write it to the objects: NACKs, and the state of
 * extensions. Both go to the source policies of the objects.
 */
import type { PolicyRef, Report, XdsConfigStatus, XdsLaggingWorkload, XdsNack } from '@meshrelay/api';
import { apiVersionOf, definitionOf } from '@meshrelay/api';
import { type Collection, type Key, key } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { canonicalJson } from '../input/canonical.ts';
import { collectDiagnostics, type Diagnostic } from '../resolve/mod.ts';
import type { PresentObject } from '../store/fleet-state.ts';
import type { PackedOutput } from '../translate/mod.ts';
import { type Concerned, failing, type WorkloadsRunning } from './failing-workloads.ts';

const XDS_CONFIG = definitionOf('XdsConfig');
const API_VERSION = apiVersionOf(XDS_CONFIG);
const KIND = XDS_CONFIG.kind;

/** The maximum number of reports about one object on one target. */
const REPORTED = 3;

/** The state of an object's extensions in the Envoys of a cluster. */
export interface ClusterAckStatus {
  readonly cluster: string;
  readonly proxies: number;
  readonly pending: number;
  readonly failed: number;
  /** The known workloads that lag behind; each once. */
  readonly workloads: readonly XdsLaggingWorkload[];
}

/** The same for one of the source policies of the object. */
export interface PolicyAckStatus extends ClusterAckStatus {
  readonly policy: PolicyRef;
}

export interface ProxyStatus {
  readonly diagnostics: Collection<Diagnostic>;
  /** For objects with extensions that connected Envoys should run. */
  readonly ackStatus: Collection<PolicyAckStatus>;
}

interface Reported {
  readonly by: PackedOutput;
  readonly diagnostics: readonly Diagnostic[];
  readonly ackStatus?: ClusterAckStatus;
}

/** The targets of the reports. */
export interface Addressees {
  /** The target of the view that an object comes from. */
  targetOf(object: PackedOutput): Diagnostic['target'] | undefined;
  readonly workloadsRunning: WorkloadsRunning;
}

/** @param present the existing objects of clusters, under the keys of `desired` */
export function proxyStatus(
  graph: Graph,
  { present, desired }: { readonly present: Collection<PresentObject>; readonly desired: Collection<PackedOutput> },
  { targetOf, workloadsRunning }: Addressees,
): ProxyStatus {
  const reported = graph.derive('output/proxy-diagnostics', present, (found, read, at): Reported | undefined => {
    const { apiVersion, kind, status } = found.object.value;
    if (kind !== KIND || apiVersion !== API_VERSION || status === undefined) return undefined;
    const { nacked = {}, ackStatus = {} } = status as XdsConfigStatus;
    const rejections = Object.values(nacked).flatMap(({ resources }) => resources);
    const by = rejections.length + Object.keys(ackStatus).length === 0 ? undefined : read.get(desired, at);
    if (by === undefined) return undefined;
    const reach = Object.keys(ackStatus).length === 0 ? undefined : ackStatusOf(found, ackStatus, by);
    const modules = rejections.filter(isOfModule);
    const behind = Object.values(ackStatus).flatMap(({ workloads }) => workloads);
    const { sourcePolicies, plugin } = by.about;
    const required = { cluster: found.cluster, plugin };
    const concerned = (policy: PolicyRef): readonly Concerned[] => {
      const workloads = modules.length === 0 ? [] : failing(modules, workloadsRunning(read, policy, required), behind);
      const rest = workloads.length === 0 ? rejections : rejections.filter((one) => !isOfModule(one));
      const target = rest.length === 0 ? undefined : targetOf(by);
      return target === undefined ? workloads : [...workloads, { target, refused: rest }];
    };
    const diagnostics = sourcePolicies.flatMap((policy) =>
      concerned(policy).map(
        ({ target, refused: why }): Diagnostic => ({ policy, target, state: 'FAILED', reports: reportsOn(why, found) }),
      ),
    );
    return { by, diagnostics, ...(reach === undefined ? {} : { ackStatus: reach }) };
  });
  const diagnostics = collectDiagnostics(graph, 'output/rejection-diagnostics', reported, (one) => one.diagnostics);
  const ackStatus = graph.deriveMany('output/ack-status', reported, ({ by, ackStatus: found }, _read, at) =>
    found === undefined
      ? []
      : by.about.sourcePolicies.map((policy, position): readonly [Key, PolicyAckStatus] => [
          key(at, String(position)),
          { ...found, policy },
        ]),
  );
  return { diagnostics, ackStatus };
}

/**
 * All replicas together. Reports about another version of the object are ignored: those Envoys have yet to receive the
 * desired one.
 */
function ackStatusOf(
  { cluster, object }: PresentObject,
  reported: NonNullable<XdsConfigStatus['ackStatus']>,
  by: PackedOutput,
): ClusterAckStatus {
  const { spec, metadata } = object.value;
  const inPlace = canonicalJson(spec ?? {}) === canonicalJson(by.value.object.spec ?? {});
  const workloads = new Map<string, XdsLaggingWorkload>();
  const sum = { proxies: 0, pending: 0, failed: 0 };
  for (const { observedGeneration, proxies, ...behind } of Object.values(reported)) {
    sum.proxies += proxies;
    if (!inPlace || observedGeneration !== metadata.generation) {
      sum.pending += proxies;
      continue;
    }
    sum.pending += behind.pending;
    sum.failed += behind.failed;
    for (const { namespace, name, pending, failed } of behind.workloads) {
      const before = workloads.get(key(namespace, name)) ?? { pending: 0, failed: 0 };
      const both = { pending: before.pending + pending, failed: before.failed + failed };
      workloads.set(key(namespace, name), { namespace, name, ...both });
    }
  }
  return { cluster, ...sum, workloads: [...workloads.values()] };
}

/** Several replicas report the same if Envoys of one account are connected to them. */
function reportsOn(rejections: readonly XdsNack[], { cluster, object }: PresentObject): readonly Report[] {
  const reports = rejections.map((one) => reportOf(one, cluster, object.value.metadata));
  return [...new Map(reports.map((one) => [one.message, one])).values()].sort(byMessage).slice(0, REPORTED);
}

function isOfModule({ type }: XdsNack): boolean {
  return type === 'extensionConfig';
}

function reportOf(
  { type, name, message, by }: XdsNack,
  cluster: string,
  { namespace = '', name: object }: { readonly namespace?: string | undefined; readonly name: string },
): Report {
  const who = by === undefined ? 'the agent does not send Envoys' : `Envoys of ServiceAccount ${by} reject`;
  return {
    code: 'REJECTED_BY_PROXY',
    severity: 'error',
    message: `${who} ${type} ${name} in cluster ${cluster}, and the previous version stays applied: ${message}`,
    related: [{ kind: KIND, namespace, name: object, cluster }],
  };
}

function byMessage(a: Report, b: Report): number {
  return a.message < b.message ? -1 : 1;
}
