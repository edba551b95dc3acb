/** Takes out of views what a mesh says it cannot carry, and says so to the policies that asked for it. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import {
  type CapabilityTable,
  degradedNote,
  unsupportedReason,
  VIEW_FIELDS,
  type ViewField,
} from '../plugin/capability.ts';
import { remembered } from '../plugin/remembered.ts';
import type {
  AccessRuleView,
  ConnectionView,
  DestinationView,
  EndpointsView,
  MeshView,
  ReachView,
  RouteActions,
  RouteView,
  Sourced,
  VirtualDestinationView,
} from '../plugin/views/mod.ts';
import { mergeRefs } from '../resolve/precedence.ts';
import {
  actionRequirements,
  matchRequirements,
  POLICY_FIELDS,
  ruleRequirements,
  virtualDestinationRequirements,
} from './requirements.ts';

/** Something a mesh cannot carry, wholly or in part. */
export interface Loss {
  readonly policies: readonly PolicyRef[];
  readonly state: PolicyState;
  readonly report: Report;
}

export interface Stripped<V> {
  readonly view: V;
  readonly losses: readonly Loss[];
}

/** The fields that a mesh does not carry, or not wholly: few of all that are asked for. */
const imperfectFields = remembered(
  (table: CapabilityTable): ReadonlySet<ViewField> => new Set(VIEW_FIELDS.filter((field) => table[field] !== 'native')),
);

/** Judges fields against one mesh's table and remembers what is lost. */
class Judge {
  readonly losses: Loss[] = [];
  readonly #mesh: string;
  readonly #table: CapabilityTable;
  readonly #imperfect: ReadonlySet<ViewField>;

  constructor(mesh: string, table: CapabilityTable) {
    this.#mesh = mesh;
    this.#table = table;
    this.#imperfect = imperfectFields(table);
  }

  /** True where all fields can be carried, at least in part. What is lost is reported to the policies. */
  allows(fields: readonly ViewField[], policies: readonly PolicyRef[]): boolean {
    let carried = true;
    for (const field of fields) {
      if (!this.#imperfect.has(field)) continue;
      const reason = unsupportedReason(this.#table, field);
      const note = degradedNote(this.#table, field);
      if (reason !== undefined) carried = false;
      if (reason !== undefined || note !== undefined) this.#lose(field, policies, reason, note);
    }
    return carried;
  }

  #lose(field: ViewField, policies: readonly PolicyRef[], reason: string | undefined, note: string | undefined): void {
    const message =
      reason === undefined
        ? `${this.#mesh} carries ${field} in part: ${note}`
        : `${this.#mesh} does not carry ${field}: ${reason}`;
    this.losses.push({
      policies,
      state: 'DEGRADED',
      report: {
        code: reason === undefined ? 'DEGRADED' : 'UNSUPPORTED',
        severity: 'warning',
        field: POLICY_FIELDS[field],
        message,
      },
    });
  }
}

/** A destination's view without what its mesh cannot carry. */
export function stripDestination(
  view: DestinationView,
  mesh: string,
  table: CapabilityTable,
): Stripped<DestinationView> {
  const judge = new Judge(mesh, table);
  const { virtualDestination, ...own } = view;
  return {
    view: {
      ...own,
      ...(virtualDestination !== undefined && carriesName(table, virtualDestination.failover)
        ? { virtualDestination }
        : {}),
      routes: routes(view.routes, judge),
      subsets: view.subsets.filter(({ from }) => judge.allows(['route.shift.subset'], from)),
      connection: connection(view.connection, judge),
      access: view.access.filter((rule: AccessRuleView) => judge.allows(ruleRequirements(rule), rule.from)),
    },
    losses: judge.losses,
  };
}

/** Whether a Service's own name can be a virtual destination's; what cannot is told with that one's view. */
function carriesName(table: CapabilityTable, failover: 'static' | 'localized'): boolean {
  const needed: readonly ViewField[] = [`virtualDestination.${failover}`, 'virtualDestination.sameHostname'];
  return needed.every((field) => unsupportedReason(table, field) === undefined);
}

/** A reach view without what the consuming mesh cannot carry; undefined where that mesh cannot reach across clusters at all. */
export function stripReach(view: ReachView, mesh: string, table: CapabilityTable): Stripped<ReachView | undefined> {
  const judge = new Judge(mesh, table);
  if (!judge.allows([wayOf(view)], [view.virtualMesh])) return { view: undefined, losses: judge.losses };
  // That keepalives are lost is told once for each mesh, not for each of its reaches.
  const { tcpKeepalive, ...rest } = view;
  const keeps = tcpKeepalive !== undefined && unsupportedReason(table, 'mesh.federation.tcpKeepalive') === undefined;
  return {
    view: {
      ...rest,
      ...(keeps ? { tcpKeepalive } : {}),
      routes: routes(view.routes, judge),
      subsets: view.subsets.filter(({ from }) => judge.allows(['route.shift.subset'], from)),
      connection: connection(view.connection, judge),
    },
    losses: judge.losses,
  };
}

function wayOf({ direct }: Pick<ReachView, 'direct'>): ViewField {
  return direct ? 'mesh.federation.flatNetwork' : 'mesh.federation.gateway';
}

/** Endpoints of a reach; undefined where the consuming mesh cannot reach across clusters, which is told with the reach itself. */
export function stripEndpoints(view: EndpointsView, table: CapabilityTable): Stripped<EndpointsView | undefined> {
  const carried = unsupportedReason(table, wayOf(view)) === undefined;
  return { view: carried ? view : undefined, losses: [] };
}

/** A virtual destination's view without what the consuming mesh cannot carry; undefined where that mesh cannot carry it at all. */
export function stripVirtualDestination(
  view: VirtualDestinationView,
  mesh: string,
  table: CapabilityTable,
): Stripped<VirtualDestinationView | undefined> {
  const judge = new Judge(mesh, table);
  const policies = [view.virtualDestination];
  const { tcpKeepalive, ...rest } = view;
  const { failover, sameHostname } = view;
  const keeps = tcpKeepalive !== undefined && unsupportedReason(table, 'mesh.federation.tcpKeepalive') === undefined;
  const directed = failover.kind === 'localized' && failover.directives.length > 0;
  const undirected = directed && !judge.allows(['virtualDestination.localized.directives'], policies);
  if (!judge.allows(virtualDestinationRequirements(view), policies)) return { view: undefined, losses: judge.losses };
  return {
    view: {
      ...rest,
      ...(keeps ? { tcpKeepalive } : {}),
      ...(undirected ? { failover: { kind: 'localized', directives: [] } } : {}),
      ...(sameHostname === undefined
        ? {}
        : {
            sameHostname: {
              connection: connection(sameHostname.connection, judge),
              subsets: sameHostname.subsets.filter(({ from }) => judge.allows(['route.shift.subset'], from)),
            },
          }),
    },
    losses: judge.losses,
  };
}

/** A mesh's view without what it cannot carry. */
export function stripMesh(view: MeshView, mesh: string, table: CapabilityTable): Stripped<MeshView> {
  const judge = new Judge(mesh, table);
  const policies = [view.virtualMesh];
  const { tcpKeepalive, ...rest } = view;
  const keeps = tcpKeepalive !== undefined && judge.allows(['mesh.federation.tcpKeepalive'], policies);
  const federated = view.exportedHosts.length === 0 || judge.allows(['mesh.federation.gateway'], policies);
  return {
    view: {
      ...rest,
      ...(keeps ? { tcpKeepalive } : {}),
      globalAccess:
        view.globalAccess === 'MESH_DEFAULT' || judge.allows(['mesh.globalAccess'], policies)
          ? view.globalAccess
          : 'MESH_DEFAULT',
      strictMtls: view.strictMtls && judge.allows(['mesh.strictMtls'], policies),
      trust: view.trust === undefined || judge.allows([`mesh.trust.${view.trust}`], policies) ? view.trust : undefined,
      flatNetwork: view.flatNetwork && judge.allows(['mesh.federation.flatNetwork'], policies),
      exportedHosts: federated ? view.exportedHosts : [],
    },
    losses: judge.losses,
  };
}

/**
 * The routes that can be carried. One that loses all it was to do is no route: it would only keep requests from the next one that
 * matches. Where none is left that does anything, none is needed to take the rest.
 */
function routes(all: readonly RouteView[], judge: Judge): readonly RouteView[] {
  const carried = carriedRoutes(all, judge);
  return carried.some(({ actions }) => Object.keys(actions).length > 0) ? carried : [];
}

function carriedRoutes(all: readonly RouteView[], judge: Judge): RouteView[] {
  return all.flatMap((route) => {
    if (!judge.allows(matchRequirements(route.match), route.askedBy ?? route.from)) return [];
    const names = Object.keys(route.actions) as Array<keyof RouteActions>;
    const kept = names.filter((name) =>
      judge.allows(
        actionRequirements(name, route.actions),
        (route.actions[name] as Sourced<unknown> | undefined)?.from ?? [],
      ),
    );
    if (kept.length === names.length) return [route];
    if (kept.length === 0) return [];
    const actions = Object.fromEntries(kept.map((name) => [name, route.actions[name]])) as RouteActions;
    const from = mergeRefs(...kept.map((name) => (route.actions[name] as Sourced<unknown> | undefined)?.from ?? []));
    return [{ ...route, actions, from }];
  });
}

function connection(view: ConnectionView, judge: Judge): ConnectionView {
  const names = Object.keys(view) as Array<keyof ConnectionView>;
  const kept = names.filter((name) => judge.allows([`connection.${name}`], view[name]?.from ?? []));
  return kept.length === names.length
    ? view
    : (Object.fromEntries(kept.map((name) => [name, view[name]])) as ConnectionView);
}
