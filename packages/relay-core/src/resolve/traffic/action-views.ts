/** The fields of traffic policies as views show them. */
import type { TlsMode, TrafficFieldName } from '@meshrelay/api';
import { type ConnectionView, memoizeUntilCompaction, type RouteActions, type Sourced } from '@meshrelay/plugin';
import { CONNECTION_FIELDS, REQUEST_FIELDS, trafficField, viewNameOf } from '../../fields/traffic/mod.ts';
import { mtlsMode } from '../../fields/traffic/mtls.ts';
import type { Fields } from './planned-route.ts';

type OwnActions = Omit<RouteActions, 'shift' | 'mirror'>;

/** The actions of a route, except those that name other destinations (shift and mirror). */
export const actionViews: (fields: Fields) => OwnActions = memoizeUntilCompaction(
  (fields) => viewsOf(REQUEST_FIELDS, fields) as OwnActions,
);

/**
 * How clients connect; the same view for the same fields. `defaultMtls` is the mode of Settings, used if no policy sets
 * one.
 */
export function connectionView(fields: Fields, defaultMtls: TlsMode | undefined): ConnectionView {
  const byMode = connectionViews(fields);
  const view = byMode.get(defaultMtls) ?? newConnectionView(fields, defaultMtls);
  byMode.set(defaultMtls, view);
  return view;
}

const connectionViews = memoizeUntilCompaction((_fields: Fields) => new Map<TlsMode | undefined, ConnectionView>());

function newConnectionView(fields: Fields, defaultMtls: TlsMode | undefined): ConnectionView {
  const view = viewsOf(CONNECTION_FIELDS, fields) as ConnectionView;
  return view.mtls !== undefined || defaultMtls === undefined
    ? view
    : { ...view, mtls: { value: mtlsMode(defaultMtls), from: [] } };
}

function viewsOf(names: readonly TrafficFieldName[], fields: Fields): Record<string, Sourced<unknown>> {
  const views: Record<string, Sourced<unknown>> = {};
  for (const name of names) {
    const field: Sourced<unknown> | undefined = fields[name];
    const { view } = trafficField(name);
    if (field === undefined || view === undefined) continue;
    const value = view(field.value);
    if (value !== undefined) views[viewNameOf(name)] = value === field.value ? field : { value, from: field.from };
  }
  return views;
}
