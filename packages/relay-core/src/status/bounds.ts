/** Keeps statuses small: an object that names thousands of targets must not outgrow what API servers store, list and watch. */
import { MAX_STATUS_BYTES, type Report, type TargetStatus } from '@meshrelay/api';
import type { ComputedStatus } from './policy-status.ts';

/** What a condition's time adds once a host has filled it in. */
const TIME_BYTES = 64;
/** How long the texts of a report may be, and how many others it may name, where there is not room for all. */
const SHORT = { message: 512, field: 128, related: 2 } as const;
/** So many reports are told of one target then. */
const TARGET_REPORTS = 2;

/**
 * The status in at most {@link MAX_STATUS_BYTES} bytes of JSON. One that is larger loses, in this order, the ends of long texts, reports beyond the first
 * few, and the last targets: `targetCount` still counts all, and `meshctl describe` tells of all.
 */
export function bounded(status: ComputedStatus): ComputedStatus {
  if (bytesOf(status) <= MAX_STATUS_BYTES) return status;
  const conditions = status.conditions.map((one) => ({ ...one, message: cut(one.message, SHORT.message) }));
  const rest = { ...status, conditions, reports: [], targets: [] };
  const room = MAX_STATUS_BYTES - bytesOf(rest);
  // The targets may say what the policy's own reports do not.
  const reports = fitting(status.reports.map(shortened), Math.floor(room / 2));
  const targets = fittingTargets(status.targets, room - jsonBytes(reports));
  return { ...rest, reports, targets };
}

function bytesOf(status: ComputedStatus): number {
  return jsonBytes(status) + TIME_BYTES * status.conditions.length;
}

function fittingTargets(targets: readonly TargetStatus[], room: number): TargetStatus[] {
  const taken: TargetStatus[] = [];
  let left = room;
  for (const target of targets) {
    const reports = target.reports.slice(0, TARGET_REPORTS).map(shortened);
    const smaller = reports.map((_, index) => ({ ...target, reports: reports.slice(0, reports.length - index) }));
    const found = [...smaller, { ...target, reports: [] }].find((one) => jsonBytes(one) + 1 <= left);
    // One in trouble without a word why would only be a riddle.
    if (found === undefined || (found.reports.length === 0 && reports.length > 0)) break;
    taken.push(found);
    left -= jsonBytes(found) + 1;
  }
  return taken;
}

function fitting(reports: readonly Report[], room: number): Report[] {
  let left = room;
  const end = reports.findIndex((report) => {
    left -= jsonBytes(report) + 1;
    return left < 0;
  });
  return reports.slice(0, end < 0 ? reports.length : end);
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

/** The beginning of a text, in so many bytes of JSON; what is cut off is marked by an ellipsis. */
function cut(text: string, most: number): string {
  if (text.length <= most && jsonBytes(text) <= most) return text;
  let taken = '';
  let left = most - jsonBytes('…');
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
    // Each half of a surrogate pair stands for two of the four bytes; JSON.stringify leaves no half alone.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
