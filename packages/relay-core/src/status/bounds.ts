/**
 * Keeps statuses small: an object that names thousands of targets must not exceed what API servers store, list and
 * watch.
 */
import { MAX_STATUS_BYTES, type Report, type TargetStatus } from '@meshrelay/api';
import type { ComputedStatus } from './computed-status.ts';
import { worstFirst, worstOf } from './worst-first.ts';

/** The size of a condition's time, which a host adds later. */
const TIME_BYTES = 64;
/** The maximum lengths of the texts of a report or condition, and of related objects in a report, if not all fit. */
const SHORT = { message: 512, condition: 256, field: 128, related: 2 } as const;
/** The maximum number of reports of one target if not all fit. */
const TARGET_REPORTS = 2;
/**
 * The maximum size of each list of a kind's own facts if not all fit: targets and reports contain the same facts, with
 * reasons.
 */
const FACT_BYTES = 1024;
/** The size of the conditions Applied and Stale, which a host adds to the computed status. */
const OUTCOME_BYTES = 2 * (SHORT.condition + 128 + TIME_BYTES);

/**
 * {@link truncated}, with room for what a host adds later: so its statuses list the same targets as those of offline
 * commands.
 */
export function computedBounds(status: ComputedStatus): ComputedStatus {
  return within(MAX_STATUS_BYTES - OUTCOME_BYTES, status);
}

/**
 * The status in at most {@link MAX_STATUS_BYTES} bytes of JSON. Apply it to every status before writing, after all
 * other changes.
 * A larger status loses, in this order:
 * - the ends of long conditions, then of other long texts;
 * - reports after the first few;
 * - the last of its kind's own facts;
 * - the last targets.
 * `targetCount` still counts all targets, and `meshctl describe` lists all if it gets the files of the clusters.
 */
export function truncated(status: ComputedStatus): ComputedStatus {
  return within(MAX_STATUS_BYTES, status);
}

function within(max: number, status: ComputedStatus): ComputedStatus {
  if (bytesOf(status) <= max) return status;
  const conditions = status.conditions.map((one) => ({ ...one, message: cut(one.message, SHORT.condition) }));
  const reported = { ...status, conditions };
  if (bytesOf(reported) <= max) return reported;
  const rest = { ...reported, ...shortFacts(status), reports: [], targets: [] };
  const room = max - bytesOf(rest);
  // The targets may contain what the policy's own reports do not.
  const reports = fittingReports(worstFirst(status.reports), Math.floor(room / 2));
  const targets = fittingTargets(status.targets, room - jsonBytes(reports));
  return { ...rest, reports, targets };
}

function bytesOf(status: ComputedStatus): number {
  return jsonBytes(status) + TIME_BYTES * status.conditions.length;
}

/** The facts of some kinds, shortened. */
function shortFacts({ selectedDestinations, rollout }: ComputedStatus): Partial<ComputedStatus> {
  return {
    ...(selectedDestinations === undefined ? {} : { selectedDestinations: fitting(selectedDestinations, FACT_BYTES) }),
    ...(rollout === undefined ? {} : { rollout: { ...rollout, workloads: fitting(rollout.workloads, FACT_BYTES) } }),
  };
}

function fittingTargets(targets: readonly TargetStatus[], room: number): TargetStatus[] {
  const taken: TargetStatus[] = [];
  let left = room;
  for (const target of targets) {
    const found = sizesOf(target).find((one) => jsonBytes(one) + 1 <= left);
    if (found === undefined) break;
    taken.push(found);
    left -= jsonBytes(found) + 1;
  }
  return taken;
}

/**
 * A target with fewer and fewer of its reports. A target with a problem keeps at least one report, which explains the
 * state.
 */
function sizesOf(target: TargetStatus): TargetStatus[] {
  const reports = worstOf(target.reports, TARGET_REPORTS).map(shortened);
  const [first] = reports;
  if (first === undefined) return [target];
  const fewer = reports.map((_, index) => reports.slice(0, reports.length - index));
  return [...fewer, [alone(first)]].map((some) => ({ ...target, reports: some }));
}

/** As many as there is room for; always the first one, if it fits without its related objects. */
function fittingReports(reports: readonly Report[], room: number): Report[] {
  const fit = fitting(reports.map(shortened), room);
  return fit.length > 0 ? fit : fitting(reports.slice(0, 1).map(shortened).map(alone), room);
}

/** The first items of a list, as long as there is room. */
function fitting<T>(list: readonly T[], room: number): T[] {
  let left = room;
  const end = list.findIndex((one) => {
    left -= jsonBytes(one) + 1;
    return left < 0;
  });
  return list.slice(0, end < 0 ? list.length : end);
}

function alone({ related: _related, ...report }: Report): Report {
  return report;
}

function shortened({ code, severity, field, message, related }: Report): Report {
  return {
    code,
    severity,
    ...(field === undefined ? {} : { field: cut(field, SHORT.field) }),
    message: cut(message, SHORT.message),
    ...(related === undefined ? {} : { related: related.slice(0, SHORT.related) }),
  };
}

/** The beginning of a text, in at most `max` bytes of JSON; an ellipsis marks the cut. */
function cut(text: string, max: number): string {
  if (text.length <= max && jsonBytes(text) <= max) return text;
  let taken = '';
  let left = max - jsonBytes('…');
  for (const character of text) {
    left -= jsonBytes(character) - 2;
    if (left < 0) break;
    taken += character;
  }
  return `${taken}…`;
}

/** Bytes of a value as JSON in UTF-8. */
function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value);
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two of the four bytes; JSON.stringify escapes unpaired halves.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
