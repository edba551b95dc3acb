/** Records what a plugin writes for one view, and refuses what it may not write. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import { groupOf, type ResourceKind } from '../input/resource-kind.ts';
import type { NativeObject, NativeObjectRef, Output, Part } from '../plugin/contract.ts';
import { type PatchRequest, rightTo } from '../plugin/patches.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { rememberedUntilRest } from '../plugin/remembered.ts';
import { sameList } from '../plugin/same-list.ts';
import { compareRefs, mergeRefs } from '../resolve/precedence.ts';
import type { Loss } from './judge.ts';

export interface Emission {
  readonly cluster: string;
  readonly kind: ResourceKind;
  readonly object: NativeObject;
  readonly because: readonly PolicyRef[];
}

export interface Contribution {
  readonly to: NativeObjectRef;
  readonly part: Part;
  readonly because: readonly PolicyRef[];
}

/** A patch that the plugin has a right to ask for. */
export interface Asking {
  readonly request: PatchRequest;
  /** The field of Settings that allows it. */
  readonly consent: string;
  readonly because: readonly PolicyRef[];
}

/** What one view came to. */
export interface Translation {
  readonly emissions: readonly Emission[];
  readonly contributions: readonly Contribution[];
  readonly patches: readonly Asking[];
  readonly losses: readonly Loss[];
}

/**
 * Runs a translation of a view that belongs in one cluster. Objects of other clusters, of kinds the plugin does not declare, or
 * without a name, and patches of fields it does not declare, are withheld, and the policies they were for are told that the plugin is at fault.
 */
export function record(
  { plugin }: LoadedPlugin,
  cluster: string,
  losses: readonly Loss[],
  run: (out: Output) => void,
): Translation {
  const translation = {
    emissions: [] as Emission[],
    contributions: [] as Contribution[],
    patches: [] as Asking[],
    losses: [...losses],
  };
  const refuse = (because: readonly PolicyRef[], message: string) => {
    translation.losses.push({
      policies: because,
      state: 'FAILED',
      report: { code: 'PLUGIN_FAULT', severity: 'error', message: `plugin ${plugin.name}: ${message}` },
    });
  };
  run({
    emit(to, object, because) {
      const kind = writtenKind(plugin, { group: groupOf(object.apiVersion), kind: object.kind });
      if (kind === undefined)
        refuse(because, `it writes ${object.apiVersion} ${object.kind}, which its "writes" does not declare`);
      else if (to !== cluster) refuse(because, `it writes to cluster ${to} for a view of cluster ${cluster}`);
      else if (typeof object.metadata.name !== 'string' || object.metadata.name === '')
        refuse(because, `it writes a ${object.kind} without a name`);
      else translation.emissions.push({ cluster: to, kind, object, because: inOrder(because) });
    },
    contribute(to, part, because) {
      if (writtenKind(plugin, to.kind) === undefined)
        refuse(because, `it contributes to ${to.kind.kind}, which its "writes" does not declare`);
      else if (to.cluster !== cluster)
        refuse(because, `it contributes to cluster ${to.cluster} for a view of cluster ${cluster}`);
      else translation.contributions.push({ to, part, because: inOrder(because) });
    },
    patch(request, because) {
      const { object, fieldPath, wish } = request;
      const right = rightTo(plugin.patches ?? [], object.kind, object.name, fieldPath);
      if (right === undefined)
        refuse(
          because,
          `it patches ${fieldPath} of ${object.kind.kind} ${object.name}, which its "patches" does not declare`,
        );
      else if (object.cluster !== cluster)
        refuse(because, `it patches an object of cluster ${object.cluster} for a view of cluster ${cluster}`);
      else if ('set' in wish || wish.include.length > 0)
        translation.patches.push({ request, consent: right.consent, because: inOrder(because) });
    },
    report(policy, report: Report) {
      translation.losses.push({ policies: [policy], state: stateOf(report), report });
    },
  });
  return translation;
}

/** The kind among those the plugin declares that it writes. */
function writtenKind(
  { writes }: LoadedPlugin['plugin'],
  { group, kind }: Pick<ResourceKind, 'group' | 'kind'>,
): ResourceKind | undefined {
  return writes.find((written) => written.kind === kind && written.group === group);
}

/** Each policy once, in an order that does not depend on how a plugin came by them; one list for all objects of the same policies. */
function inOrder(because: readonly PolicyRef[]): readonly PolicyRef[] {
  return because.length < 2 ? sameList(because.slice()) : orderOf(because);
}

const orderOf = rememberedUntilRest((because: readonly PolicyRef[]) =>
  sameList(mergeRefs(because).toSorted(compareRefs)),
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
