/** Limits the list of owners: the oldest updaters of a version are merged. */
import { union } from './field-set.ts';
import { type Manager, type Managers, managerKey } from './managers.ts';

/** More updaters than this are merged. Appliers never are. */
const MAX_UPDATERS = 10;
const HEADLESS_HOST_LABEL = 'ancient-changes';

/** The owners with the oldest updaters of each version merged into `ancient-changes` until the limit is met. */
export function joinOldestUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update');
  let surplus = updaters.length - MAX_UPDATERS;
  if (surplus <= 0) return managers;
  const left = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  for (const [key, manager] of updaters.sort(byAge)) {
    if (surplus <= 0) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, key);
      continue;
    }
    join(left, first, manager);
    left.delete(key);
    surplus--;
  }
  return left;
}

/** The merged entry starts with the first one's fields, and has the latest time of all. */
function join(managers: Map<string, Manager>, first: string, manager: Manager): void {
  const { apiVersion, time } = manager;
  const joinUpdater = { name: HEADLESS_HOST_LABEL, operation: 'Update', apiVersion } as const;
  const key = managerKey(joinUpdater);
  const before = managers.get(key) ?? (managers.get(first) as Manager);
  if (!managers.has(key)) managers.delete(first);
  managers.set(key, {
    ...joinUpdater,
    fields: union(before.fields, manager.fields),
    ...(time === undefined ? {} : { time }),
  });
}

function byAge([leftKey, left]: [string, Manager], [rightKey, right]: [string, Manager]): number {
  const [leftTime, rightTime] = [left.time ?? '', right.time ?? ''];
  if (leftTime !== rightTime) return leftTime < rightTime ? -1 : 1;
  return leftKey < rightKey ? -1 : 1;
}
