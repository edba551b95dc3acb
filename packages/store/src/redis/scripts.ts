/**
 * Scripts that Redis runs atomically. All data is passed as keys or arguments; no script text contains data. A value
 * starts with its version (`stored-version.ts`): scripts read nothing else of a value.
 */
import { createHash } from 'node:crypto';
import { VERSION_LENGTH } from './stored-version.ts';

/** A script with its hash. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

/** Version reported for a head whose value exceeds the limit. */
export const OVERSIZED = 'oversized';

/** `version(hash, field, limit)`: '' if absent. `typed(key, type)`: deletes a key of another type. */
const PRELUDE = `
local function version(key, field, limit)
  local length = redis.call('HSTRLEN', key, field)
  if length == 0 then return '' end
  if length > tonumber(limit) then return '${OVERSIZED}' end
  return string.sub(redis.call('HGET', key, field), 1, ${VERSION_LENGTH})
end
local function typed(key, wanted)
  local found = redis.call('TYPE', key).ok
  if found ~= wanted and found ~= 'none' then redis.call('DEL', key) end
  return found == wanted
end
`;

/**
 * Writes a new state of a cluster if the present version is the expected one. A Redis that rejects writes does so at
 * the first one, so all of it is done or nothing is. Deletions come last, since a full Redis would accept them.
 * KEYS heads, contents, changes. ARGV: cluster, expected version or '', 'whole' or 'patch', limit, steps to keep, head,
 * step or '', number of fields to delete, these fields, then alternating fields and values.
 * @returns [1], or [0, the present version], or [2] if a patch has no contents to apply to
 */
export const COMMIT: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
typed(KEYS[3], 'stream')
local there = version(KEYS[1], ARGV[1], ARGV[4])
if there ~= ARGV[2] then return {0, there} end
if ARGV[3] == 'whole' then
  redis.call('DEL', KEYS[2])
elseif not typed(KEYS[2], 'hash') and ARGV[3] == 'patch' then
  return {2}
end
local deleted = tonumber(ARGV[8])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[6])
for at = 9 + deleted, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1]) end
for at = 9, 8 + deleted do redis.call('HDEL', KEYS[2], ARGV[at]) end
if ARGV[7] ~= '' then redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[5], '*', 's', ARGV[7]) end
return {1}`);

/**
 * Prepares a state that takes several writes: until it is committed, the cluster is unknown.
 * KEYS heads, contents. ARGV: cluster, expected version or '', limit. @returns [1], or [0, the present version]
 */
export const CLEAR: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
local there = version(KEYS[1], ARGV[1], ARGV[3])
if there ~= ARGV[2] then return {0, there} end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return {1}`);

/** Writes values that no index names yet. KEYS contents. ARGV: alternating fields and values. */
export const UPLOAD: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
for at = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
return {1}`);

/**
 * Lists the clusters. KEYS heads. ARGV: prefix of a cluster's contents key, limit, maximum number of clusters.
 * @returns alternating name, version and number of fields of each; -1 if the contents are not a hash
 */
export const SURVEY: RedisScript = script(`${PRELUDE}
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {} end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then return redis.error_reply('more clusters than can be stored') end
local found = {}
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
  if #name <= 253 then
    local contents = ARGV[1] .. name
    local fields = -1
    local type = redis.call('TYPE', contents).ok
    if type == 'hash' then fields = redis.call('HLEN', contents) end
    if type == 'none' then fields = 0 end
    found[#found + 1] = name
    found[#found + 1] = version(KEYS[1], name, ARGV[2])
    found[#found + 1] = fields
  end
end
return found`);

/**
 * Reads values of a hash up to the size limit. KEYS hash. ARGV: limit, maximum bytes of an answer, fields.
 * @returns a value, or nil if absent, or its length if too large; fewer than requested once the maximum is reached.
 * [-1] if the key is not a hash
 */
export const FETCH: RedisScript = script(`
local type = redis.call('TYPE', KEYS[1]).ok
if type ~= 'hash' and type ~= 'none' then return {-1} end
local found = {}
local left = tonumber(ARGV[2])
for at = 3, #ARGV do
  local length = redis.call('HSTRLEN', KEYS[1], ARGV[at])
  if length > tonumber(ARGV[1]) then
    found[#found + 1] = length
  elseif length == 0 then
    found[#found + 1] = false
  else
    left = left - length
    if left < 0 and #found > 0 then return found end
    found[#found + 1] = redis.call('HGET', KEYS[1], ARGV[at])
  end
end
return found`);

/** Adds an entry to the stream. KEYS changes. ARGV: steps to keep, step. */
export const ANNOUNCE: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'stream')
return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 's', ARGV[2])`);

/**
 * Writes a replica's announcements, and publishes them in the stream.
 * KEYS words, changes. ARGV: steps to keep, step, alternating fields and values; '' as a value removes the field
 */
export const SAY: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
typed(KEYS[2], 'stream')
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], '*', 's', ARGV[2])
for at = 3, #ARGV, 2 do
  if ARGV[at + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[at]) else redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
end
return {1}`);

/**
 * Writes a replica's heartbeat, and reads those of others.
 * KEYS replicas, words. ARGV: replica, maximum number of fields, a field that the replica has written
 * @returns whether that field exists, then alternating names and counts
 */
export const BEAT: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
typed(KEYS[2], 'hash')
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
local found = {redis.call('HEXISTS', KEYS[2], ARGV[3])}
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[2]) then redis.call('DEL', KEYS[1]) return found end
for _, part in ipairs(redis.call('HGETALL', KEYS[1])) do found[#found + 1] = string.sub(part, 1, 300) end
return found`);

/**
 * The fields of a hash. KEYS hash. ARGV: maximum number of fields. @returns an empty list if there are more, or the key
 * is not a hash
 */
export const FIELDS: RedisScript = script(`
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {} end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[1]) then return {} end
return redis.call('HKEYS', KEYS[1])`);

/** Deletes a replica. KEYS replicas, words. ARGV: replica, fields */
export const FORGET: RedisScript = script(`
redis.call('HDEL', KEYS[1], ARGV[1])
for at = 2, #ARGV do redis.call('HDEL', KEYS[2], ARGV[at]) end
return {1}`);

/** The id of the stream's last entry, without the entry. KEYS changes. */
export const TIP: RedisScript = script(`
if redis.call('TYPE', KEYS[1]).ok ~= 'stream' then return '0-0' end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if #last == 0 then return '0-0' end
return last[1][1]`);

function script(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
