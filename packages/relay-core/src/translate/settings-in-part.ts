/** Settings that a mesh may carry but for a part of them: the rest is in force without it, and the policy is told. */
import type { ViewField } from '../plugin/capability.ts';
import type { ConnectionPoolView, RateLimitView, RetriesView, RouteActions, Sourced } from '../plugin/views/mod.ts';
import type { Judge } from './judge.ts';

/** An action without the parts of it that cannot be carried, the very same where all can; undefined where nothing is left of it. */
export function actionInPart<Name extends keyof RouteActions>(
  name: Name,
  actions: RouteActions,
  judge: Judge,
): RouteActions[Name] | undefined {
  const { retries, localRateLimit } = actions;
  if (name === 'retries' && retries !== undefined) return retriesInPart(retries, judge) as RouteActions[Name];
  if (name === 'localRateLimit' && localRateLimit !== undefined)
    return rateLimitInPart(localRateLimit, judge) as RouteActions[Name];
  return actions[name];
}

/** A connection pool without the limits that cannot be carried, the very same where all can; undefined where none is left. */
export function poolInPart(pool: Sourced<ConnectionPoolView>, judge: Judge): Sourced<ConnectionPoolView> | undefined {
  const { tcpKeepalive, idleTimeoutMs, ...limits } = pool.value;
  const keeps = tcpKeepalive !== undefined && judge.allows(['connection.pool.tcpKeepalive'], pool.from);
  const idles = idleTimeoutMs !== undefined && judge.allows(['connection.pool.idleTimeout'], pool.from);
  const value = { ...limits, ...(keeps ? { tcpKeepalive } : {}), ...(idles ? { idleTimeoutMs } : {}) };
  return remaining(pool, value);
}

const STATUS_CODE = /^\d+$/;

/** Retries of no condition would be none. */
function retriesInPart(retries: Sourced<RetriesView>, judge: Judge): Sourced<RetriesView> | undefined {
  const { retryOn, retryRemoteLocalities, ...always } = retries.value;
  const told = (field: ViewField) => judge.allows([field], retries.from);
  const codes = (retryOn ?? []).some((one) => STATUS_CODE.test(one));
  const conditions =
    codes && !told('route.retries.statusCodes') ? retryOn?.filter((one) => !STATUS_CODE.test(one)) : retryOn;
  const elsewhere = retryRemoteLocalities !== true || told('route.retries.remoteLocalities');
  if (codes && conditions?.length === 0) return undefined;
  if (conditions === retryOn && elsewhere) return retries;
  const value = {
    ...always,
    ...(conditions === undefined ? {} : { retryOn: conditions }),
    ...(elsewhere && retryRemoteLocalities !== undefined ? { retryRemoteLocalities } : {}),
  };
  return { ...retries, value };
}

/** Without its burst, a limit lets in at once what it lets in per unit. */
function rateLimitInPart(limit: Sourced<RateLimitView>, judge: Judge): Sourced<RateLimitView> {
  const { burst, ...rate } = limit.value;
  if (burst === undefined || burst >= rate.requestsPerUnit) return limit;
  return judge.allows(['route.localRateLimit.burstBelowRate'], limit.from) ? limit : { ...limit, value: rate };
}

/** What is left of a setting: itself where nothing is lost, undefined where all is. */
function remaining<T extends object>(setting: Sourced<T>, value: T): Sourced<T> | undefined {
  const [left, all] = [Object.keys(value).length, Object.keys(setting.value).length];
  if (left === all) return setting;
  return left === 0 ? undefined : { ...setting, value };
}
