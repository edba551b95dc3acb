/** Durations in kubectl's format. */

/** A time span in one or two units: `92s`, `3m10s`, `5d`, `2y14d`. `milliseconds` below -2 s is `<invalid>`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return pair(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** The age of an RFC 3339 time, or Kubernetes' placeholder for a missing one. */
export function age(moment: string | undefined | null, now: number): string {
  if (moment === undefined || moment === null || moment === '') return '<unknown>';
  const then = Date.parse(moment);
  return Number.isNaN(then) ? '<invalid>' : humanDuration(now - then);
}
