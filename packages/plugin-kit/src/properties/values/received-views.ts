/** The views that a plugin receives in a fleet. */
import type { LoadedPlugin } from '@meshrelay/relay-core';
import type { Fleet } from '../../fleet/expand-fleet.ts';
import { loaded, type TestedPlugin } from '../../tested-plugin.ts';
import { built } from '../outcome.ts';
import type { ReceivedView } from './translated.ts';

const RECEIVED = new WeakMap<TestedPlugin, WeakMap<Fleet, readonly ReceivedView[]>>();

/** All views of a fleet, each once; built once for all properties. */
export function receivedViews(tested: TestedPlugin, fleet: Fleet): readonly ReceivedView[] {
  const ofPlugin = RECEIVED.get(tested) ?? new WeakMap<Fleet, readonly ReceivedView[]>();
  RECEIVED.set(tested, ofPlugin);
  const known = ofPlugin.get(fleet);
  if (known !== undefined) return known;
  const received: ReceivedView[] = [];
  built(
    fleet,
    loaded(tested).map((plugin) => recording(plugin, received)),
  );
  ofPlugin.set(fleet, received);
  return received;
}

/** The plugin, with a record of the views of its translations. */
function recording({ plugin, settings }: LoadedPlugin, received: ReceivedView[]): LoadedPlugin {
  const guarded = new Proxy(plugin, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      const call = String(name);
      if (typeof member !== 'function' || !call.startsWith('translate')) return member;
      return (view: object, ...rest: readonly unknown[]): unknown => {
        received.push({ call, view });
        return member.call(target, view, ...rest);
      };
    },
  });
  return { plugin: guarded, settings };
}
