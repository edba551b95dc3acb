/** Records what a plugin writes for one view, and rejects what it may not write. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import {
  groupOf,
  memoizeUntilCompaction,
  type NativeObject,
  type NativeObjectRef,
  type Output,
  type Part,
  type PatchRequest,
  type ResourceKind,
} from '@meshrelay/plugin';
import { internList } from '../caches/intern-list.ts';
import { findPatchPermission } from '../plugin/patches.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { compareRefs, mergeRefs } from '../store/precedence.ts';
import type { UnsupportedField } from './capability-checker.ts';

export interface Emission {
  readonly cluster: string;
  readonly kind: ResourceKind;
  readonly object: NativeObject;
  readonly sourcePolicies: readonly PolicyRef[];
}

export interface Contribution {
  readonly to: NativeObjectRef;
  readonly part: Part;
  readonly sourcePolicies: readonly PolicyRef[];
}

/** A patch that the plugin is allowed to request. */
export interface PermittedPatch {
  readonly request: PatchRequest;
  /** The field of Settings that allows it. */
  readonly consent: string;
  readonly sourcePolicies: readonly PolicyRef[];
}

/** The result of translating one view. */
export interface Translation {
  readonly emissions: readonly Emission[];
  readonly contributions: readonly Contribution[];
  readonly patches: readonly PermittedPatch[];
  readonly rejected: readonly UnsupportedField[];
}

/**
 * Runs the translation of a view of one cluster. Rejects objects of other clusters, of undeclared kinds and without a
 * name. Rejects parts that no assembler handles, and patches of undeclared fields. The source policies of what was
 * rejected get a report that the plugin is at fault.
 * @throws Error if the plugin passes no list of source policies
 */
export function record(
  { plugin }: LoadedPlugin,
  cluster: string,
  rejected: readonly UnsupportedField[],
  run: (out: Output) => void,
): Translation {
  const translation = {
    emissions: [] as Emission[],
    contributions: [] as Contribution[],
    patches: [] as PermittedPatch[],
    rejected: [...rejected],
  };
  const refuse = (sourcePolicies: readonly PolicyRef[], message: string) => {
    translation.rejected.push({
      policies: sourcePolicies,
      state: 'FAILED',
      report: { code: 'PLUGIN_INVALID_OUTPUT', severity: 'error', message: `plugin ${plugin.name}: ${message}` },
    });
  };
  run({
    emit(to, object, sourcePolicies) {
      refuseNoList('an object', sourcePolicies);
      if (!isNamed(object)) {
        refuse(
          sourcePolicies,
          `it writes ${shown(object)}; expected an object with apiVersion, kind and metadata.name`,
        );
        return;
      }
      const kind = writtenKind(plugin, { group: groupOf(object.apiVersion), kind: object.kind });
      if (kind === undefined)
        refuse(sourcePolicies, `it writes ${object.apiVersion} ${object.kind}, which its "writes" does not declare`);
      else if (to !== cluster) refuse(sourcePolicies, `it writes to cluster ${to} for a view of cluster ${cluster}`);
      else if (object.metadata.name === '') refuse(sourcePolicies, `it writes a ${object.kind} without a name`);
      else translation.emissions.push({ cluster: to, kind, object, sourcePolicies: inOrder(sourcePolicies) });
    },
    contribute(to, part, sourcePolicies) {
      refuseNoList('a part', sourcePolicies);
      if (plugin.assemble === undefined)
        refuse(sourcePolicies, `it contributes to ${to.kind.kind} ${to.name}, but has no "assemble" that builds it`);
      else if (writtenKind(plugin, to.kind) === undefined)
        refuse(sourcePolicies, `it contributes to ${to.kind.kind}, which its "writes" does not declare`);
      else if (to.cluster !== cluster)
        refuse(sourcePolicies, `it contributes to cluster ${to.cluster} for a view of cluster ${cluster}`);
      else translation.contributions.push({ to, part, sourcePolicies: inOrder(sourcePolicies) });
    },
    patch(request, sourcePolicies) {
      refuseNoList('a patch', sourcePolicies);
      const { object, fieldPath, operation } = request;
      const right = findPatchPermission(plugin.patches ?? [], object.kind, object.name, fieldPath);
      if (right === undefined)
        refuse(
          sourcePolicies,
          `it patches ${fieldPath} of ${object.kind.kind} ${object.name}, which its "patches" does not declare`,
        );
      else if (object.cluster !== cluster)
        refuse(sourcePolicies, `it patches an object of cluster ${object.cluster} for a view of cluster ${cluster}`);
      else if ('set' in operation || operation.include.length > 0)
        translation.patches.push({ request, consent: right.consent, sourcePolicies: inOrder(sourcePolicies) });
    },
    report(policy, report: Report) {
      if (!isReport(report)) {
        const expected = 'expected a code such as NOT_CARRIED, a severity (error, warning or info) and a message';
        refuse([policy], `it reports ${shown(report)}; ${expected}`);
        return;
      }
      translation.rejected.push({ policies: [policy], state: stateOf(report), report });
    },
  });
  return translation;
}

/** Reports need a list of policies, even an empty one. */
function refuseNoList(what: string, sourcePolicies: unknown): void {
  if (!Array.isArray(sourcePolicies))
    throw new Error(`it passes ${what} for ${shown(sourcePolicies)}; expected a list of its source policies`);
}

/** Plugins written without TypeScript can pass anything. */
function isNamed(object: unknown): boolean {
  const { apiVersion, kind, metadata } = (object ?? {}) as Partial<NativeObject>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string';
}

const SEVERITIES: ReadonlySet<unknown> = new Set<Report['severity']>(['error', 'warning', 'info']);
const CODE = /^[A-Z][A-Z0-9_]*$/;

function isReport(report: unknown): boolean {
  const { code, severity, message } = (report ?? {}) as Partial<Report>;
  return SEVERITIES.has(severity) && CODE.test(code ?? '') && typeof message === 'string' && message !== '';
}

function shown(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** The declared kind that the plugin writes here. */
function writtenKind(
  { writes }: LoadedPlugin['plugin'],
  { group, kind }: Pick<ResourceKind, 'group' | 'kind'>,
): ResourceKind | undefined {
  return writes.find((written) => written.kind === kind && written.group === group);
}

/**
 * Each policy once, in an order that does not depend on the plugin; one shared list for all objects of the same
 * policies.
 */
function inOrder(sourcePolicies: readonly PolicyRef[]): readonly PolicyRef[] {
  return sourcePolicies.length < 2 ? internList(sourcePolicies.slice()) : orderOf(sourcePolicies);
}

const orderOf = memoizeUntilCompaction((sourcePolicies: readonly PolicyRef[]) =>
  internList(mergeRefs(sourcePolicies).toSorted(compareRefs)),
);

function stateOf({ severity }: Report): PolicyState {
  switch (severity) {
    case 'error':
      return 'FAILED';
    case 'warning':
      return 'DEGRADED';
    case 'info':
      return 'ACCEPTED';
  }
}
