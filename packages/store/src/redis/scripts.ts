/**
 * What Redis itself does, in one step each. Everything that is data comes as a key or an argument; no script is ever made of data.
 * A value's first characters are its version (`stored-version.ts`): all that a script ever reads of a value.
 */
import { createHash } from 'node:crypto';
import { VERSION_LENGTH } from './stored-version.ts';

/** A script and the name by which Redis knows it. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

/** What a head is taken for whose value is larger than any of ours. */
export const OVERSIZED = 'oversized';

/** `version(hash, field, limit)`: '' where there is none. `typed(key, type)`: away with what has our name and another type. */
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
 * Takes a new state of a cluster if what is there has the expected version. A Redis that takes no writes says so at the first one, so all
 * of it is done or nothing is; deleting comes last, since a full one would take that.
 * KEYS heads, contents, changes. ARGV: cluster, expected version or '', 'whole' or 'patch', limit, steps to keep, head, step or '',
 * number of fields to delete, these fields, then fields and values in turn.
 * @returns [1], or [0, the version that is there], or [2] where a patch finds nothing to be applied to
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
 * Makes room for a state that takes several writes: until it is committed, nothing is known of the cluster.
 * KEYS heads, contents. ARGV: cluster, expected version or '', limit. @returns [1], or [0, the version that is there]
 */
export const CLEAR: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
local there = version(KEYS[1], ARGV[1], ARGV[3])
if there ~= ARGV[2] then return {0, there} end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return {1}`);

/** Puts values that no index names yet. KEYS contents. ARGV: fields and values in turn. */
export const UPLOAD: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
for at = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
return {1}`);

/**
 * The clusters there are. KEYS heads. ARGV: what stands before a cluster's name in the key of its contents, limit, most clusters.
 * @returns name, version and number of fields of each in turn; -1 where the contents are no hash
 */
export const SURVEY: RedisScript = script(`${PRELUDE}
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {} end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then return redis.error_reply('more clusters than can be kept') end
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
 * Values of a hash, none of which is larger than the limit. KEYS hash. ARGV: limit, most bytes of an answer, fields.
 * @returns a value, or nil where there is none, or its length where it is too large; fewer than asked for once the bytes are used up. [-1] where it is no hash
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
 * Puts what a replica says, and tells it to whoever follows.
 * KEYS words, changes. ARGV: steps to keep, step, fields and values in turn; '' in place of a value takes the field away
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
 * Says that a replica lives, and who else does.
 * KEYS replicas, words. ARGV: replica, most fields, a field that the replica has written
 * @returns whether that field is there, then names and counts in turn
 */
export const BEAT: RedisScript = script(`${PRELUDE}
typed(KEYS[1], 'hash')
typed(KEYS[2], 'hash')
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
local found = {redis.call('HEXISTS', KEYS[2], ARGV[3])}
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[2]) then redis.call('DEL', KEYS[1]) return found end
for _, part in ipairs(redis.call('HGETALL', KEYS[1])) do found[#found + 1] = string.sub(part, 1, 300) end
return found`);

/** The fields of a hash. KEYS hash. ARGV: most fields. @returns none where there are more, or it is no hash */
export const FIELDS: RedisScript = script(`
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return {} end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[1]) then return {} end
return redis.call('HKEYS', KEYS[1])`);

/** Forgets a replica. KEYS replicas, words. ARGV: replica, fields */
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
